package httpapi

// addOpen registers what anyone may read: the documents by which people and
// programs find their way, and whether the service is up.
func (s *Server) addOpen() {
	for _, d := range s.documents() {
		s.add(&route{path: d.path, methods: methodsGet, handle: d.serve})
	}
	s.addHealth()
}
