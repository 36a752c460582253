package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/larder-index/larder/panel/sqlite"
)

// addHealth registers what load balancers and monitors ask. It tells strangers
// no more than they need: the admin address says which file and why.
func (s *Server) addHealth() {
	s.add(&route{path: "/healthz", methods: methodsGet, handle: s.healthz})
	s.add(&route{path: "/readyz", methods: methodsGet, handle: s.readyz})
}

// healthz says that the process answers, and nothing else: a server without a
// snapshot must not be restarted for it.
func (s *Server) healthz(w http.ResponseWriter, r *http.Request) error {
	return writeHealth(w, r, http.StatusOK, struct {
		Status string `json:"status"`
	}{"ok"})
}

func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	return s.writeReadiness(w, r, false)
}

// adminReadyz also gives the file's name and the error in full.
func (s *Server) adminReadyz(w http.ResponseWriter, r *http.Request) error {
	return s.writeReadiness(w, r, true)
}

// readiness is the body of /readyz. Status is "ready"; "degraded" if requests
// are answered, but not from the snapshot file as it is now; or "unavailable",
// with status 503, an error and its code.
type readiness struct {
	Status    string         `json:"status"`
	Error     string         `json:"error,omitempty"`
	Code      string         `json:"code,omitempty"`
	RequestID string         `json:"requestId,omitempty"`
	Snapshot  snapshotHealth `json:"snapshot"`
	State     stateHealth    `json:"state"`
}

type snapshotHealth struct {
	Hash     *string    `json:"hash"`               // of what is served; null if nothing is
	LoadedAt *time.Time `json:"loaded_at"`          // since when
	Newest   *time.Time `json:"newest_observation"` // in what is served
	Swaps    int        `json:"swaps"`
	Refused  int        `json:"refused"`
	File     fileHealth `json:"file"`
}

// fileHealth is the snapshot file as it is now: "served", "missing" or
// "refused".
type fileHealth struct {
	Status string     `json:"status"`
	Reason string     `json:"reason,omitempty"` // see refusalReason
	Since  *time.Time `json:"since,omitempty"`
	Path   string     `json:"path,omitempty"`   // on the admin address
	Detail string     `json:"detail,omitempty"` // on the admin address
}

type stateHealth struct {
	Status string `json:"status"` // "ok" or "unavailable"
	Detail string `json:"detail,omitempty"`
}

func (s *Server) writeReadiness(w http.ResponseWriter, r *http.Request, admin bool) error {
	status, x := http.StatusOK, readiness{Status: "ready", Snapshot: snapshotHealthOf(s.Snapshots, admin), State: stateHealth{Status: "ok"}}
	if x.Snapshot.File.Status != "served" {
		x.Status = "degraded"
	}
	unavailable := func(code, message string) {
		status = http.StatusServiceUnavailable
		x.Status, x.Code, x.Error, x.RequestID = "unavailable", code, message, requestID(r)
		w.Header().Set("Retry-After", "10")
	}
	if x.Snapshot.Hash == nil {
		unavailable("data_unavailable", "there is no verified snapshot to serve")
	}
	if err := s.pinged.do(r.Context(), s.Now(), s.State.Ping); err != nil {
		x.State.Status = "unavailable"
		if admin {
			x.State.Detail = err.Error()
		}
		unavailable("state_unavailable", "the state can't be written to")
	}
	if s.stopping.Load() {
		unavailable("stopping", "the server is being stopped")
	}
	return writeHealth(w, r, status, &x)
}

func snapshotHealthOf(s *Snapshots, admin bool) snapshotHealth {
	status := s.Status()
	h := snapshotHealth{Swaps: status.Swaps, Refused: status.Refused, File: fileHealth{Status: "served"}}
	if served := s.Current(); served != nil {
		h.Hash, h.LoadedAt, h.Newest = &served.Info.Hash, &status.LoadedAt, &served.Info.Last
	}
	if err := status.Err; err != nil {
		h.File.Status, h.File.Since = "refused", &status.FailedAt
		h.File.Reason = refusalReason(err)
		if h.File.Reason == "missing" {
			h.File.Status = "missing"
		}
		if admin {
			h.File.Detail = err.Error()
		}
	}
	if admin {
		h.File.Path = status.Path
	}
	return h
}

// refusalReason names the kind of fault that a snapshot file has.
func refusalReason(err error) string {
	for _, x := range []struct {
		is     error
		reason string
	}{
		{os.ErrNotExist, "missing"},
		{os.ErrPermission, "permission_denied"},
		{sqlite.ErrNotSnapshot, "not_a_snapshot"},
		{sqlite.ErrVersion, "other_schema_version"},
		{sqlite.ErrLeftover, "opened_by_another_program"},
		{sqlite.ErrChanged, "changed_since_published"},
	} {
		if errors.Is(err, x.is) {
			return x.reason
		}
	}
	return "unreadable"
}

// pingEvery is how often /readyz, which anybody may ask, makes the state prove
// that it can be written to.
const pingEvery = time.Second

// pingPatience is how long /readyz waits for that. It is for the disk, so it
// runs by the machine's clock.
const pingPatience = 3 * time.Second

var errPingSlow = fmt.Errorf("the state did not keep anything for %s: its disk hangs, or is very slow", pingPatience)

// writeHealth writes a body that nothing may keep.
func writeHealth(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	body = append(body, '\n')
	h := w.Header()
	h.Set("Content-Type", jsonType)
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client is gone then
	}
	return nil
}
