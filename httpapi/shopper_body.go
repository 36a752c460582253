package httpapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"

	"github.com/larder-index/larder/compare"
)

const bodyExample = `{"city":"toronto","items":[{"id":1,"qty":2}]}`

// listOfBody reads the list in the body of a POST. The buffer is for the body.
// What is wrong is looked for in this order: its type, its size, the query (that
// there is none), what it says.
func listOfBody(r *http.Request, buffer *[]byte) (list compare.Request, err error) {
	if err := checkJSONType(r.Header); err != nil {
		return list, err
	}
	body, err := readList(r, buffer)
	if err != nil {
		return list, err
	}
	if _, err := readQuery(r.URL.RawQuery); err != nil {
		return list, err
	}
	if list, err = compare.DecodeRequest(body); err != nil {
		return list, refusedList(err)
	}
	return list, nil
}

// errBodyTooLarge refuses a body before more of it is read than may be there.
var errBodyTooLarge = &apiError{
	Status: http.StatusRequestEntityTooLarge, Code: string(compare.BodyTooLarge),
	Message: fmt.Sprintf("the body has more than %d bytes; send at most so many, such as %s", compare.MaxBody, bodyExample),
}

// readList reads the body into the buffer.
func readList(r *http.Request, buffer *[]byte) ([]byte, error) {
	if r.ContentLength > compare.MaxBody {
		return nil, errBodyTooLarge
	}
	const room = compare.MaxBody + 1 // whoever fills it is over
	b := slices.Grow((*buffer)[:0], room)
	*buffer = b
	for n := 0; n < room; {
		k, err := r.Body.Read(b[n:room])
		n += k
		switch {
		case n == room:
		case err == io.EOF:
			return b[:n], nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, &apiError{
				Status: http.StatusRequestTimeout, Code: "request_timeout",
				Message: "the body took too long to arrive; send the request again",
			}
		case err != nil:
			return nil, badRequest(string(compare.InvalidJSON), "the body ended before it was whole; send such as "+bodyExample)
		}
	}
	return nil, errBodyTooLarge
}
