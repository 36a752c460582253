package figure

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"strings"
	"time"

	"github.com/larder-index/larder/basket"
	"github.com/larder-index/larder/httpapi/lang"
	"github.com/larder-index/larder/httpapi/prepared"
	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/wire"
	"github.com/larder-index/larder/jevons/table"
	"github.com/larder-index/larder/panel"
)

// dateColumn is the member that names the week of a row.
var dateColumn = table.Columns()[0]

// AppendCSV appends a line for each row of each series. The third column has the name of the
// view's member, so that nobody takes one unit for another. Every line names the source, so
// that a line that is copied keeps its attribution.
func (f *Figure) AppendCSV(b []byte) ([]byte, error) {
	out := bytes.NewBuffer(b)
	w := csv.NewWriter(out)
	source := f.Vintage.Words.SourceLabel() + ", " + f.version(f.Vintage)
	if strings.ContainsAny(source[:1], "=+-@") {
		source = "'" + source // a spreadsheet would take it for a formula
	}
	w.Write([]string{dateColumn.Name, "series", f.column.Name, "source"}) //nolint:errcheck // Error tells
	for i, rows := range f.rows {
		for k := range rows {
			w.Write([]string{ //nolint:errcheck // Error tells
				string(dateColumn.AppendText(nil, &rows[k])), f.Names[i], string(f.column.AppendText(nil, &rows[k])), source,
			})
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// AppendJSON appends the figure as a program wants it.
func (f *Figure) AppendJSON(b []byte) ([]byte, error) {
	about := f.Vintage.Words
	body := wire.Figure{
		Title: f.drawn.Title, Source: about.SourceLabel(), License: about.Terms(), Note: prepared.Note("v2", about), Snapshot: f.Vintage.Hash, Release: f.Vintage.Ref,
		View: *f.shown.Meta(), From: f.weeks[0].String(), To: f.weeks[1].String(), Citation: f.cite(), Address: f.BaseURL + Path + "?" + f.Address(),
		Annotations: []wire.Annotation{},
	}
	revised, err := f.lastRevision()
	if err != nil {
		return b, err
	}
	if revised != nil {
		body.Revised = &wire.FigureRevision{Release: &revised.Release, Values: revised.Values, Largest: wire.Number(revised.Largest.String())}
	}
	for i, cell := range f.cells {
		line := wire.FigureSeries{Name: f.Names[i], City: wire.Text(cell.City), Retailer: wire.Text(cell.Banner)}
		if cell.Category != basket.Overall {
			line.Category = wire.Text(cell.Category.String())
		}
		line.Rows = []byte{'['}
		for k := range f.rows[i] {
			if k > 0 {
				line.Rows = append(line.Rows, ',')
			}
			line.Rows = table.AppendJSON(line.Rows, &f.rows[i][k], []table.Column{dateColumn, f.column})
		}
		line.Rows = append(line.Rows, ']')
		body.Series = append(body.Series, line)
	}
	for _, a := range f.drawn.Annotations {
		if day := a.Date; day >= f.shownDays[0] && day <= f.shownDays[1] && (a.Series == "" || f.draws(a.Series)) {
			text := a.Text
			if f.lang == lang.French {
				text = cmp.Or(a.TextFr, text)
			}
			body.Annotations = append(body.Annotations, wire.Annotation{Date: day.String(), Text: text, Series: wire.Text(a.Series)})
		}
	}
	return reply.AppendJSON(b, body)
}

// draws reports whether a series is in the figure.
func (f *Figure) draws(series string) bool {
	for _, l := range f.drawn.Lines {
		if l.Series == series {
			return true
		}
	}
	return false
}

// frozen returns the address of the figure as it is now, which never changes. Without a
// release log it is the figure's own.
func (f *Figure) frozen() string {
	q := *f.Query
	if f.Vintage.Ref != nil {
		q.AsOf = f.Vintage.Ref.ID
	}
	return f.BaseURL + Path + "?" + q.Address()
}

// version names what the figure was made from: a release, or else a snapshot.
func (q *Query) version(v *prepared.Vintage) string {
	if v.Ref != nil {
		return q.lang.T(lang.Key("release {id} of {day}"), v.Ref.ID, q.words().Date(panel.DateIn(v.Ref.ReleasedAt, panel.Toronto)))
	}
	const enough = 16
	return q.lang.T(lang.Key("snapshot {hash}"), v.Hash[:enough])
}

// period names the weeks with a value.
func (f *Figure) period() string {
	return f.lang.T(lang.Key("Weeks ending {first} to {last}"), f.words().Date(f.shownDays[0]), f.words().Date(f.shownDays[1]))
}

// publisher is who a citation names as the author.
func publisher(about *panel.About) string { return cmp.Or(about.Publisher, "Larder") }

// cite returns the citation of the figure in one line.
func (f *Figure) cite() string {
	about := f.Vintage.Words
	text := fmt.Sprintf("%s (%d). %s. %s, %s. %s", publisher(about), f.shownDays[1].Time(time.UTC).Year(), f.drawn.Title,
		f.period(), f.version(f.Vintage), f.frozen())
	if about.Synthetic {
		text += ". " + f.words().Notice
	}
	return text
}

// AppendText appends the citation.
func (f *Figure) AppendText(b []byte) ([]byte, error) {
	return append(append(b, f.cite()...), '\n'), nil
}

// bibEscape keeps the characters apart that mean something to BibTeX.
var bibEscape = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "_", `\_`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)

// AppendBib appends the citation for BibTeX.
func (f *Figure) AppendBib(b []byte) ([]byte, error) {
	about, last := f.Vintage.Words, f.shownDays[1].Time(time.UTC)
	key := "larder-" + last.Format("20060102")
	if f.Vintage.Ref != nil {
		key += "-" + f.Vintage.Ref.ID
	}
	note := f.period() + ", " + f.version(f.Vintage)
	if about.Synthetic {
		note += ". " + f.words().Notice
	}
	b = fmt.Appendf(b, "@misc{%s,\n", key)
	for _, x := range [][2]string{
		{"author", "{" + bibEscape.Replace(publisher(about)) + "}"},
		{"title", "{" + bibEscape.Replace(f.drawn.Title) + "}"},
		{"year", last.Format("2006")}, {"month", strings.ToLower(last.Format("Jan"))},
		{"note", bibEscape.Replace(note)},
		{"url", f.frozen()},
	} {
		b = fmt.Appendf(b, "  %-6s = {%s},\n", x[0], x[1])
	}
	return append(b, "}\n"...), nil
}
