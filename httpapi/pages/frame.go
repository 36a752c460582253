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
}

var kindFrame = ast.NewNodeKind("Frame")

func (f *frame) Kind() ast.NodeKind { return kindFrame }

func (f *frame) Dump(source []byte, level int) {
	ast.DumpHelper(f, source, level, map[string]string{"Label": f.label}, nil)
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
		f := n.(*frame)
		text := "</div>\n"
		if entering {
			text = `<div class="scroll" role="` + f.role + `" tabindex="0" aria-label="` + template.HTMLEscapeString(f.label) + "\">\n"
		}
		_, err := w.WriteString(text)
		return ast.WalkContinue, err
	})
	r.Register(kindMarkup, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(n.(*markup).text) //nolint:errcheck // it keeps its error
		}
		return ast.WalkContinue, nil
	})
}
