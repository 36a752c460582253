package sqlite

// idSet is a set of ids above 0, in runs of 64: small when ids are dense, as
// they usually are.
type idSet struct {
	runs map[int64]*uint64
	last *uint64 // the run used last
	at   int64   // and its number
}

func (s *idSet) run(id int64, make bool) *uint64 {
	n := id >> 6
	if s.last != nil && s.at == n {
		return s.last
	}
	r := s.runs[n]
	if r == nil {
		if !make {
			return nil
		}
		if s.runs == nil {
			s.runs = map[int64]*uint64{}
		}
		r = new(uint64)
		s.runs[n] = r
	}
	s.last, s.at = r, n
	return r
}

// add adds an id; false if it is there.
func (s *idSet) add(id int64) bool {
	r, bit := s.run(id, true), uint64(1)<<(id&63)
	if *r&bit != 0 {
		return false
	}
	*r |= bit
	return true
}

func (s *idSet) has(id int64) bool {
	r := s.run(id, false)
	return r != nil && *r&(1<<(id&63)) != 0
}
