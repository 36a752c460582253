package pages

import (
	"fmt"
	"html/template"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/larder-index/larder/httpapi/lang"
)

// frame is the markup around a part that may be wider than the page. The part scrolls by
// itself, with the keyboard too.
type frame struct{ open, end string }

// addFrame gives a node a frame. A repeated label gets a number.
func (w *walker) addFrame(n ast.Node, role, label string) *frame {
	w.labels[label]++
	if again := w.labels[label]; again > 1 {
		label = fmt.Sprintf("%s %d", label, again)
	}
	f := &frame{`<div class="scroll" role="` + role + `" tabindex="0" aria-label="` + template.HTMLEscapeString(label) + "\">\n", "</div>\n"}
	n.SetAttributeString("frame", f)
	return f
}

// tabs are the languages in which the same thing may be said, with their names.
var tabs = map[string]string{"sh": "curl", "python": "Python", "r": "R", "go": "Go"}

// addCode frames a block of code. Below it there is room for the button that copies it, which
// a script makes. Blocks in different languages with nothing between them are alternatives.
func (w *walker) addCode(n ast.Node) {
	w.say(string(n.Lines().Value(w.source)))
	tab := func(of ast.Node) string {
		if block, ok := of.(*ast.FencedCodeBlock); ok {
			return tabs[string(block.Language(w.source))]
		}
		return ""
	}
	own, before, after := tab(n), tab(n.PreviousSibling()), tab(n.NextSibling())
	first, last := before == "" || before == own, after == "" || after == own
	if own == "" || first && last {
		f := w.addFrame(n, "group", w.Lang.T(lang.Key("{heading}: code"), w.heading))
		f.open, f.end = `<div class="code">`+f.open, f.end+"</div>\n"
		return
	}
	f := w.addFrame(n, "group", w.heading+": "+own)
	f.open, f.end = `<div class="code"><p class="tab-name">`+own+"</p>\n"+f.open, f.end+"</div>\n"
	if first {
		f.open = `<div class="tabs">` + f.open
	}
	if last {
		f.end += "</div>\n"
	}
}

// frameRenderer renders what has a frame.
type frameRenderer struct{}

func (frameRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(east.KindTable, render(func([]byte, ast.Node) (open, end string) { return "<table>\n", "</table>\n" }))
	code := render(func(source []byte, n ast.Node) (open, end string) {
		open = "<pre><code>"
		if block, ok := n.(*ast.FencedCodeBlock); ok {
			open = `<pre><code class="language-` + template.HTMLEscapeString(string(block.Language(source))) + `">`
		}
		return open + template.HTMLEscapeString(string(n.Lines().Value(source))), "</code></pre>\n"
	})
	r.Register(ast.KindCodeBlock, code)
	r.Register(ast.KindFencedCodeBlock, code)
}

// render returns a function that writes a node's own markup within its frame.
func render(markup func(source []byte, n ast.Node) (open, end string)) renderer.NodeRendererFunc {
	return func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		x, _ := n.AttributeString("frame")
		open, end := markup(source, n)
		text := end + x.(*frame).end
		if entering {
			text = x.(*frame).open + open
		}
		_, err := w.WriteString(text)
		return ast.WalkContinue, err
	}
}
