package client

import "time"

// SetAfter gives the client another clock to wait by.
func (c *Client) SetAfter(after func(time.Duration) <-chan time.Time) { c.after = after }
