package pages

import (
	"html/template"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// frame surrounds a part that may be wider than the page. It scrolls by itself, with
// the keyboard too.
type frame struct {
	ast.BaseBlock
	role, label string
	tab         string // what a block of code among alternatives is called
	first, last bool   // of the alternatives
}

var kindFrame = ast.NewNodeKind("Frame")

func (f *frame) Kind() ast.NodeKind { return kindFrame }

func (f *frame) Dump(source []byte, level int) {
	ast.DumpHelper(f, source, level, map[string]string{"Label": f.label}, nil)
}

// tabs are the languages in which the same thing may be said, with their names.
var tabs = map[string]string{"sh": "curl", "python": "Python", "r": "R", "go": "Go"}

// tabOf returns a frame for a block of code. Blocks in different languages with
// nothing between them are alternatives.
func tabOf(n *ast.FencedCodeBlock, source []byte) *frame {
	tab := func(of ast.Node) string {
		if block, ok := of.(*ast.FencedCodeBlock); ok {
			return tabs[string(block.Language(source))]
		}
		return ""
	}
	own, before, after := tab(n), tab(n.PreviousSibling()), tab(n.NextSibling())
	first, last := before == "" || before == own, after == "" || after == own
	if own == "" || first && last {
		return &frame{}
	}
	return &frame{tab: own, first: first, last: last}
}

// markup replaces a part of a table that goldmark would write differently.
type markup struct {
	ast.BaseBlock
	text string
}

var kindMarkup = ast.NewNodeKind("Markup")

func (*markup) Kind() ast.NodeKind { return kindMarkup }

func (m *markup) Dump(source []byte, level int) {
	ast.DumpHelper(m, source, level, map[string]string{"Text": m.text}, nil)
}

type frameRenderer struct{}

func (frameRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindFrame, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		open, end := n.(*frame).markup()
		if !entering {
			open = end
		}
		_, err := w.WriteString(open)
		return ast.WalkContinue, err
	})
	r.Register(kindMarkup, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(n.(*markup).text) //nolint:errcheck // it keeps its error
		}
		return ast.WalkContinue, nil
	})
}

// markup returns what comes before the framed part, and what comes after it. Below a
// block of code there is room for the button that copies it, which a script makes.
func (f *frame) markup() (open, end string) {
	open = `<div class="scroll" role="` + f.role + `" tabindex="0" aria-label="` + template.HTMLEscapeString(f.label) + "\">\n"
	end = "</div>\n"
	if f.role != "group" {
		return open, end
	}
	if f.tab != "" {
		open = `<p class="tab-name">` + f.tab + "</p>\n" + open
	}
	open, end = `<div class="code">`+open, end+"</div>\n"
	if f.first {
		open = `<div class="tabs">` + open
	}
	if f.last {
		end += "</div>\n"
	}
	return open, end
}
