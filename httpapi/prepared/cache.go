package prepared

import (
	"context"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// cache keeps what was made from releases, bounded by the rows in all. What was used longest
// ago goes first, and the newest always stays. It is safe for concurrent use. It makes one thing
// at a time, so that many who ask for different releases at once do not have all of them in memory.
type cache struct {
	most int // rows

	making sync.Mutex
	mu     sync.Mutex
	rows   int
	list   *simplelru.LRU[made, sized]
}

// made names a thing in a cache: of what kind it is, and of which release.
type made struct {
	kind   string
	number int
}

// sized is a thing in a cache.
type sized struct {
	value any
	rows  int
}

// maxThings bounds the things in a cache, however few rows they have.
const maxThings = 1000

func newCache(most int) *cache {
	c := &cache{most: most}
	c.list, _ = simplelru.NewLRU(maxThings, func(_ made, x sized) { c.rows -= x.rows }) // the size is valid
	return c
}

// get returns a thing. If it is not kept, get makes it, unless ctx ends before its turn. make
// may put other things too.
func get[T any](ctx context.Context, c *cache, name made, make func() (x T, rows int, err error)) (x T, err error) {
	if x, ok := look[T](c, name); ok {
		return x, nil
	}
	c.making.Lock()
	defer c.making.Unlock()
	if x, ok := look[T](c, name); ok {
		return x, nil // it was made meanwhile
	}
	if err := ctx.Err(); err != nil {
		return x, err
	}
	x, rows, err := make()
	if err == nil {
		c.put(name, x, rows)
	}
	return x, err
}

func look[T any](c *cache, name made) (x T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.list.Get(name)
	if ok {
		x = found.value.(T)
	}
	return x, ok
}

func (c *cache) put(name made, x any, rows int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list.Contains(name) {
		return
	}
	c.rows += rows
	c.list.Add(name, sized{x, rows})
	for c.rows > c.most && c.list.Len() > 1 {
		c.list.RemoveOldest()
	}
}
