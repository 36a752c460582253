package reply

import (
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener whose connections have no buffer.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// TestSlowReaders reads responses at many speeds. A client that takes less than 8 kB a
// second is dropped after 15 seconds. Others get the whole response in its time limit.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		size  int // of the response
		quick int // bytes that the client takes at once
		rate  int // bytes a second that it takes then
		least time.Duration
		most  time.Duration
		whole bool
	}{
		{name: "nothing taken", size: 1 << 20, least: 15 * time.Second, most: 15 * time.Second},
		{name: "a stop in the middle", size: 1 << 20, quick: 600_000, least: 15 * time.Second, most: 15 * time.Second},
		{name: "4 kB a second", size: 1 << 20, rate: 4000, least: 15 * time.Second, most: 17 * time.Second},
		{name: "7 kB a second", size: 1 << 20, rate: 7000, least: 15 * time.Second, most: 17 * time.Second},
		{name: "9 kB a second", size: 900_000, rate: 9000, least: 100 * time.Second, most: 101 * time.Second, whole: true},
		{name: "9 kB a second, more than the time allows", size: 2 << 20, rate: 9000, least: 2 * time.Minute, most: 2 * time.Minute},
		{name: "50 kB a second", size: 1 << 20, rate: 50_000, least: 20 * time.Second, most: 22 * time.Second, whole: true},
		{name: "all at once", size: 9 << 20, quick: 9 << 20, whole: true},
		{name: "a small one, late", size: 20_000, rate: 400, least: 50 * time.Second, most: 51 * time.Second, whole: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var failed error
				var took time.Duration
				ended := make(chan struct{})
				server := &http.Server{WriteTimeout: 2 * time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					seen, began := NewWriter(w, r), time.Now()
					_, failed = seen.Write(make([]byte, c.size))
					took = time.Since(began)
					close(ended)
				})}
				accept := make(pipes)
				go server.Serve(accept) //nolint:errcheck // it ends with the test
				near, far := net.Pipe()
				accept <- far
				var reader sync.WaitGroup
				reader.Go(func() {
					io.WriteString(near, "GET / HTTP/1.1\r\nHost: x\r\n\r\n") //nolint:errcheck // it shows
					io.CopyN(io.Discard, near, int64(c.quick))                //nolint:errcheck // it shows
					for tenth := int64(c.rate / 10); tenth > 0; {
						if _, err := io.CopyN(io.Discard, near, tenth); err != nil {
							return
						}
						time.Sleep(100 * time.Millisecond)
					}
					if c.whole {
						io.Copy(io.Discard, near) //nolint:errcheck // it shows
					}
				})
				<-ended
				if whole := failed == nil; whole != c.whole || took < c.least || took > c.most {
					t.Errorf("whole: %t (%v) after %s; want %t, %s to %s", whole, failed, took, c.whole, c.least, c.most)
				}
				near.Close()
				reader.Wait()
				close(accept)
				server.Close() //nolint:errcheck // it shows
			})
		})
	}
}
