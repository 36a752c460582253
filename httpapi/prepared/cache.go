package prepared

import (
	"context"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// cache keeps what was made of releases. Its one rule: all that it keeps has a bounded number
// of rows, what was used longest ago goes first, and the newest always stays. It makes one thing
// at a time, so that many who ask for different releases at once do not have all of them in memory.
type cache struct {
	most   int // rows
	making sync.Mutex
	rows   int // guarded by making
	list   *lru.Cache[made, sized]
}

// made names a thing in a cache: of what kind it is, and of which release.
type made struct {
	kind   string
	number int
}

type sized struct {
	value any
	rows  int
}

func newCache(most int) *cache {
	const things = 1000 // however few rows they have
	c := &cache{most: most}
	c.list, _ = lru.NewWithEvict(things, func(_ made, x sized) { c.rows -= x.rows }) // the size is valid
	return c
}

// get returns a thing. If it is not kept, get makes it, unless ctx ends before its turn. make
// may put other things too.
func get[T any](ctx context.Context, c *cache, name made, make func() (x T, rows int, err error)) (x T, err error) {
	found, ok := c.list.Get(name)
	if !ok {
		c.making.Lock()
		defer c.making.Unlock()
		found, ok = c.list.Get(name) // it may have been made meanwhile
	}
	if ok {
		return found.value.(T), nil
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

// put keeps a thing. It is called while something is made.
func (c *cache) put(name made, x any, rows int) {
	if c.list.Contains(name) {
		return
	}
	c.rows += rows
	c.list.Add(name, sized{x, rows})
	for c.rows > c.most && c.list.Len() > 1 {
		c.list.RemoveOldest()
	}
}
