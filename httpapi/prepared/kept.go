package prepared

import (
	"context"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// kept is a cache of values made from releases, by the release's number, bounded by their
// rows in all. The value used longest ago goes first. The newest always stays. It is safe for
// concurrent use. It makes one thing at a time, so that many who ask for different releases
// at once do not have all of them in memory.
type kept[T any] struct {
	most   int // rows
	rowsOf func(T) int

	making sync.Mutex
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

// get returns the value of a release. If it is not kept, get makes it, unless ctx ends before
// its turn. make may put the values of other releases too.
func (k *kept[T]) get(ctx context.Context, number int, make func() (T, error)) (x T, err error) {
	if x, ok := k.look(number); ok {
		return x, nil
	}
	k.making.Lock()
	defer k.making.Unlock()
	if x, ok := k.look(number); ok {
		return x, nil // it was made meanwhile
	}
	if err := ctx.Err(); err != nil {
		return x, err
	}
	if x, err = make(); err == nil {
		k.put(number, x)
	}
	return x, err
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
