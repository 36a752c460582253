package bulk

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/larder-index/larder/panel"
	"github.com/larder-index/larder/panel/record"
)

// writeCSV writes a header and a line for each row. The values are those of JSON bodies; null
// is the empty cell.
func (t *Table) writeCSV(w io.Writer) error {
	gz, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // the level is valid
	var line []byte
	for i := range t.Columns {
		line = append(append(line, t.Columns[i].Name...), ',')
	}
	for _, values := range t.Rows {
		line[len(line)-1] = '\n'
		if _, err := gz.Write(line); err != nil {
			return err
		}
		line = line[:0]
		for i := range values {
			line = append(t.Columns[i].appendCell(line, &values[i]), ',')
		}
	}
	line[len(line)-1] = '\n'
	if _, err := gz.Write(line); err != nil {
		return err
	}
	return gz.Close()
}

func (c *Column) appendCell(b []byte, v *record.Value) []byte {
	if !v.Known {
		return b
	}
	switch c.Type {
	case record.Whole:
		return strconv.AppendInt(b, v.Int, 10)
	case record.Float:
		return strconv.AppendFloat(b, v.Float(), 'f', -1, 64)
	case record.Decimal:
		return panel.FixedOf(v.Int).Append(b, c.Decimals)
	case record.Flag:
		return strconv.AppendBool(b, v.Int != 0)
	case record.Date:
		return append(b, panel.Date(v.Int).String()...)
	case record.Time:
		return time.Unix(0, v.Int).UTC().AppendFormat(b, time.RFC3339Nano)
	}
	if !strings.ContainsAny(v.Text, ",\"\r\n") {
		return append(b, v.Text...)
	}
	return append(append(append(b, '"'), strings.ReplaceAll(v.Text, `"`, `""`)...), '"')
}
