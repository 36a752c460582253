package shrink

// ClaimID lets a test see how ids are kept apart: a collision can't be found.
var ClaimID = claimID
