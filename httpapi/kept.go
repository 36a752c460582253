package httpapi

import (
	"strconv"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/singleflight"
)

// kept keeps what is made of releases, by the release's number, up to a number of rows in
// all. What was used longest ago goes first. The newest always stays. It is safe for
// concurrent use, and makes each thing once even if many ask at the same time.
type kept[T any] struct {
	most   int // rows
	rowsOf func(T) int

	making singleflight.Group
	mu     sync.Mutex
	rows   int
	list   *simplelru.LRU[int, T]
}

// maxKeptReleases bounds the releases in a kept, however few rows they have.
const maxKeptReleases = 1000

func newKept[T any](most int, rowsOf func(T) int) *kept[T] {
	k := &kept[T]{most: most, rowsOf: rowsOf}
	k.list, _ = simplelru.NewLRU(maxKeptReleases, func(_ int, x T) { k.rows -= rowsOf(x) }) // the size is valid
	return k
}

// get returns what is kept of a release, or makes it. make may put other releases too.
func (k *kept[T]) get(number int, make func() (T, error)) (T, error) {
	if x, ok := k.look(number); ok {
		return x, nil
	}
	x, err, _ := k.making.Do(strconv.Itoa(number), func() (any, error) {
		if x, ok := k.look(number); ok {
			return x, nil // it was made just before
		}
		x, err := make()
		if err == nil {
			k.put(number, x)
		}
		return x, err
	})
	if err != nil {
		var none T
		return none, err
	}
	return x.(T), nil
}

func (k *kept[T]) look(number int) (T, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.list.Get(number)
}

func (k *kept[T]) put(number int, x T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.list.Contains(number) {
		return
	}
	k.rows += k.rowsOf(x)
	k.list.Add(number, x)
	for k.rows > k.most && k.list.Len() > 1 {
		k.list.RemoveOldest()
	}
}
