package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/panel/onefile"
)

// Fetch asks for the file. If it is another one than the copy, Fetch downloads it, has it checked
// and puts it in the place of the copy. The error says why the copy is not the file as it is now;
// the copy then stays as it was.
func (f *File) Fetch(ctx context.Context) (changed bool, err error) {
	changed, err = f.fetch(ctx)
	now := f.Now()
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err == nil:
		f.status.Err, f.status.Since, f.status.Reached = nil, time.Time{}, now
		return changed, nil
	case f.status.Err == nil:
		f.status.Since = now
	}
	f.status.Err = onefile.Fail("fetch", f.status.Address, withoutAddress(err), "")
	return false, f.status.Err
}

func (f *File) fetch(ctx context.Context) (changed bool, err error) {
	ctx, end := context.WithTimeoutCause(ctx, fetchWait, fmt.Errorf("it took longer than %s", fetchWait))
	defer end()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	copied, part := f.readMark(f.path), f.readMark(f.part())
	have := f.resumable(part)
	answer, err := f.get(ctx, copied, part, have)
	if err != nil {
		return false, err
	}
	defer answer.Body.Close()
	found := mark{Address: f.status.Address, ETag: answer.Header.Get("ETag"), Modified: answer.Header.Get("Last-Modified")}
	total := answer.ContentLength
	switch answer.StatusCode {
	case http.StatusNotModified:
		if copied == (mark{}) {
			return false, errors.New("it says 304, but there is no copy")
		}
		return false, f.removePart()
	case http.StatusOK:
		have = 0
	case http.StatusPartialContent:
		if have == 0 || found.ETag != part.ETag {
			return false, errors.Join(errors.New("it sends a part that was not asked for"), f.removePart())
		}
		if total, err = totalOf(answer.Header.Get("Content-Range"), have); err != nil {
			return false, errors.Join(err, f.removePart())
		}
	case http.StatusRequestedRangeNotSatisfiable:
		return false, errors.Join(errors.New("it does not have the rest of the file; the next fetch begins anew"), f.removePart())
	default:
		return false, fmt.Errorf("the server says %s", answer.Status)
	}
	switch {
	case found.ETag == "" && found.Modified == "":
		return false, errors.New("it has neither an ETag nor a Last-Modified; without one, every look would be a download")
	case answer.Header.Get("Content-Encoding") != "":
		return false, errors.New("it is sent compressed although that was not asked for")
	case total > f.MaxBytes:
		return false, f.tooLarge()
	case found == f.rejected && f.Now().Before(f.until):
		return false, f.refused
	}
	if err := f.download(ctx, cancel, answer.Body, found, have, total); err != nil {
		return false, err
	}
	if err := f.Check(ctx, f.part()); err != nil {
		if ctx.Err() != nil {
			return false, err
		}
		if have == 0 { // a part may have been damaged on disk
			f.rejected, f.refused, f.until = found, err, f.Now().Add(rejectWait)
		}
		return false, errors.Join(err, f.removePart())
	}
	return true, f.keep(found)
}

func (f *File) tooLarge() error {
	return fmt.Errorf("it is larger than %d bytes, the most that --fetch-limit allows", f.MaxBytes)
}

// get asks for the file, unless it is the copy, and for its rest, if it is the part of which have
// bytes are there.
func (f *File) get(ctx context.Context, copied, part mark, have int64) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address.String(), nil)
	if err != nil {
		return nil, err
	}
	if f.user != nil {
		password, _ := f.user.Password()
		r.SetBasicAuth(f.user.Username(), password)
	}
	r.Header.Set("User-Agent", "larder")
	switch {
	case copied.ETag != "":
		r.Header.Set("If-None-Match", copied.ETag)
	case copied.Modified != "":
		r.Header.Set("If-Modified-Since", copied.Modified)
	}
	if have > 0 {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		r.Header.Set("If-Range", part.ETag)
	}
	return f.client.Do(r)
}

// totalOf reads the size of the whole file from a Content-Range that begins at an offset.
func totalOf(header string, offset int64) (int64, error) {
	rest, ok := strings.CutPrefix(header, fmt.Sprintf("bytes %d-", offset))
	_, size, ok2 := strings.Cut(rest, "/")
	total, err := strconv.ParseInt(size, 10, 64)
	if !ok || !ok2 || err != nil || total < offset {
		return 0, fmt.Errorf("its Content-Range is %q; the rest from byte %d was asked for", header, offset)
	}
	return total, nil
}

// download writes the body to the part, after the first have bytes of it. total is the size of
// the file, negative if it is not known. A part that can be continued outlives an error.
func (f *File) download(ctx context.Context, cancel context.CancelCauseFunc, body io.Reader, found mark, have, total int64) (err error) {
	if have == 0 {
		if err := errors.Join(f.removePart(), f.writeMark(f.part(), found)); err != nil {
			return err
		}
	}
	out, err := os.OpenFile(f.part(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	timer := time.AfterFunc(f.stall, func() { cancel(fmt.Errorf("no byte came for %s", f.stall)) })
	n, err := io.Copy(out, io.LimitReader(patient{body, timer, f.stall}, f.MaxBytes-have+1))
	timer.Stop()
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	size := have + n
	err = errors.Join(err, out.Sync(), out.Close())
	if _, full := errors.AsType[*fs.PathError](err); full || size > f.MaxBytes {
		if size > f.MaxBytes {
			err = f.tooLarge()
		}
		return errors.Join(err, f.removePart()) // a full disk gets its space back
	}
	if err == nil && total >= 0 && size != total {
		err = fmt.Errorf("%d of %d bytes came", size, total)
	}
	if err != nil {
		return fmt.Errorf("after %d bytes: %w", size, err)
	}
	return nil
}

// patient puts a timer back whenever bytes come.
type patient struct {
	io.Reader
	timer *time.Timer
	wait  time.Duration
}

func (p patient) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if n > 0 {
		p.timer.Reset(p.wait)
	}
	return n, err
}
