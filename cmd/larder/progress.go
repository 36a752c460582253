package main

import "github.com/schollz/progressbar/v3"

// progress is a bar on a terminal, and nothing elsewhere.
type progress struct{ bar *progressbar.ProgressBar }

func (a *app) progress(what string) progress {
	if !a.terminal {
		return progress{}
	}
	return progress{progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionClearOnFinish(),
	)}
}

func (p progress) update(done, total int64) {
	if p.bar == nil {
		return
	}
	if p.bar.GetMax64() != total {
		p.bar.ChangeMax64(total)
	}
	p.bar.Set64(done) // a bar that can't be drawn is no reason to stop
}

func (p progress) finish() {
	if p.bar != nil {
		p.bar.Finish()
	}
}
