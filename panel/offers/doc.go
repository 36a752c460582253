// Package offers reads the prices of goods from files as others publish them.
package offers
