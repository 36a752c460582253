package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/larder-index/larder/httpapi/reply"
	"github.com/larder-index/larder/httpapi/state"
	"github.com/larder-index/larder/jevons/release/folder"
)

const filesPrefix = "/api/v1/files/"

// slowest is how many bytes a second a client must take of a file.
const slowest = 8000

var (
	// fileNames are the names that larder release --publish gives. For those of group 1 the lowest tier is enough.
	fileNames = regexp.MustCompile(`^(?:(latest\.json|r\d+/(?:products[.\w]+|datapackage\.json|SHA256SUMS))` +
		`|r\d+/(?:panel/)?\w[.\w]*)$`)
	mediaTypes = map[string]string{
		".gz": "application/gzip", ".json": reply.JSONType, ".parquet": "application/vnd.apache.parquet",
	}
	errNoFolder = reply.Refuse("not_found", "this server has no files of releases; "+
		"the publisher starts it with larder serve --publish DIR, the folder of larder release --publish DIR")
)

// publishedFile answers with a file of the folder of releases.
func (s *Server) publishedFile(c *call) error {
	c.setPrivate()
	s.Snapshots.Current().NameIn(c.w.Header())
	file, err := s.openFile(c)
	if err != nil {
		return s.finish(c, 0, nil, 0, err)
	}
	defer file.Close() //nolint:errcheck // it was read
	http.ServeContent(&fileWriter{c.w.(*reply.Writer), s, c}, c.r, "", time.Time{}, file)
	return nil
}

// openFile does all checks, sets the headers and opens the file. Neither a name nor a link leads out of the folder.
func (s *Server) openFile(c *call) (*os.File, error) {
	name, who := strings.TrimPrefix(c.r.URL.Path, filesPrefix), c.route.who
	known := fileNames.FindStringSubmatch(name)
	if known != nil && known[1] != "" {
		who.tier = state.Research
	}
	if err := s.admit(&who)(c); err != nil {
		return nil, err
	}
	if err := readParams(c); err != nil {
		return nil, err
	}
	missing := reply.Refuse("not_found", "there is no file "+reply.Quote(name)+"; "+filesPrefix+folder.Latest+
		" names the newest release, and "+folder.Sums+" of a release its files")
	switch {
	case s.Publish == "":
		return nil, errNoFolder
	case known == nil || len(name) > 100:
		return nil, missing
	}
	file, err := os.OpenInRoot(s.Publish, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = missing
	}
	if err == nil {
		err = s.beginFile(c, name, info)
	}
	if err != nil {
		file.Close() //nolint:errcheck // it was not read
		return nil, err
	}
	return file, nil
}

func (s *Server) beginFile(c *call, name string, info os.FileInfo) error {
	h := c.w.Header()
	h.Del("X-Snapshot") // it is of what is in service
	h.Del("X-Release")
	h.Set("Content-Type", cmp.Or(mediaTypes[path.Ext(name)], "text/plain; charset=utf-8"))
	if name != folder.Latest {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	if server, ok := c.r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.WriteTimeout > 0 {
		longest := server.WriteTimeout + time.Duration(info.Size()/slowest)*time.Second
		http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(longest)) //nolint:errcheck // it can be set
	}
	return c.tagged(fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
}

// fileWriter logs an answer with a file before its first byte. One that can't be logged becomes a refusal.
type fileWriter struct {
	*reply.Writer
	s *Server
	c *call
}

// WriteHeader implements http.ResponseWriter.
func (w *fileWriter) WriteHeader(status int) {
	var err error
	if status == http.StatusRequestedRangeNotSatisfiable {
		err = errRange
	}
	bytes, _ := strconv.Atoi(w.Header().Get("Content-Length"))
	if err := w.s.finish(w.c, status, nil, bytes, err); err != nil {
		w.s.fail(w.c, err)
	}
}

// Write implements http.ResponseWriter. It drops what follows a refusal.
func (w *fileWriter) Write(b []byte) (int, error) {
	if w.Status >= http.StatusMultipleChoices {
		return len(b), nil
	}
	return w.Writer.Write(b)
}
