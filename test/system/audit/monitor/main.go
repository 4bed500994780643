// A monitor of Marquee's log made of software that is not Marquee's: Go's sumdb/note opens the checkpoints, and sumdb/tlog reads the
// tiles and checks the proofs. It prints one line of JSON, or says what does not fit and exits with 1.
//
// Usage: monitor <URL of the server> <administrator's token> <older checkpoint>
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The height that C2SP's tiles have always, and whose number their paths leave out.
const height = 8

var base, token = os.Args[1], os.Args[2]

func main() {
	verifier, err := note.NewVerifier(strings.TrimSpace(string(get("/v1/audit/key"))))
	demand(err, "the key")
	older := open([]byte(os.Args[3]), verifier)
	tree := open(get("/v1/audit/checkpoint"), verifier)
	reader := tlog.TileHashReader(tree, tiles{})

	root, err := tlog.TreeHash(tree.N, reader)
	demand(err, "the tree's hash out of its tiles")
	check(root == tree.Hash, "the tiles make another root than the checkpoint's")

	var growth struct{ Hashes []tlog.Hash }
	getJSON(fmt.Sprintf("/v1/audit/consistency?from=%d&to=%d", older.N, tree.N), &growth)
	demand(tlog.CheckTree(growth.Hashes, tree.N, tree.Hash, older.N, older.Hash), "the proof of consistency")

	entries := readEntries(tree.N)
	leaves := make([]int64, tree.N)
	for n := range leaves {
		leaves[n] = tlog.StoredHashIndex(0, int64(n))
	}
	hashes, err := reader.ReadHashes(leaves)
	demand(err, "the leaves")
	for n, entry := range entries {
		check(tlog.RecordHash(entry) == hashes[n], fmt.Sprintf("entry %d has another hash than its leaf", n+1))
	}
	proofs := 0
	for n := int64(0); n < tree.N; n += 7 {
		var proof struct {
			LeafHash tlog.Hash
			Hashes   []tlog.Hash
		}
		getJSON(fmt.Sprintf("/v1/audit/proof?seq=%d&size=%d", n+1, tree.N), &proof)
		demand(tlog.CheckRecord(proof.Hashes, tree.N, tree.Hash, n, tlog.RecordHash(entries[n])), fmt.Sprintf("the proof of entry %d", n+1))
		altered := append([]byte{}, entries[n]...)
		altered[len(altered)/2] ^= 1
		check(tlog.CheckRecord(proof.Hashes, tree.N, tree.Hash, n, tlog.RecordHash(altered)) != nil, "an altered entry is proved")
		proofs++
	}
	result, err := json.Marshal(map[string]int64{"size": tree.N, "older": older.N, "entries": int64(len(entries)), "proofs": int64(proofs)})
	demand(err, "the result")
	fmt.Println(string(result))
}

// Opens a signed note whose text is origin, size and root.
func open(message []byte, verifier note.Verifier) tlog.Tree {
	opened, err := note.Open(message, note.VerifierList(verifier))
	demand(err, "the checkpoint")
	lines := strings.Split(opened.Text, "\n")
	check(len(lines) >= 3 && lines[0] == verifier.Name(), "the checkpoint's origin is not the key's name")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	demand(err, "the checkpoint's size")
	root, err := tlog.ParseHash(lines[2])
	demand(err, "the checkpoint's root")
	return tlog.Tree{N: size, Hash: root}
}

type tiles struct{}

func (tiles) Height() int                     { return height }
func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		all = append(all, get("/v1/audit/"+strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", height), "tile/", 1)))
	}
	return all, nil
}

// Bundles of 256 entries, each after its length in two bytes.
func readEntries(size int64) [][]byte {
	var entries [][]byte
	for int64(len(entries)) < size {
		first := int64(len(entries))
		tile := tlog.Tile{H: height, L: -1, N: first >> height, W: int(min(size-first, 1<<height))}
		bundle := get("/v1/audit/" + strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/data/", height), "tile/entries/", 1))
		for len(bundle) > 0 {
			length := int(binary.BigEndian.Uint16(bundle))
			entries = append(entries, bundle[2:2+length])
			bundle = bundle[2+length:]
		}
		check(int64(len(entries)) == first+int64(tile.W), "a bundle holds another number of entries than its path says")
	}
	return entries
}

func getJSON(path string, answer any) {
	demand(json.Unmarshal(get(path), answer), path)
}

func get(path string) []byte {
	request, err := http.NewRequest("GET", base+path, nil)
	demand(err, path)
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	demand(err, path)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	demand(err, path)
	check(response.StatusCode == 200, fmt.Sprintf("%s answers %d: %s", path, response.StatusCode, body))
	return body
}

func demand(err error, what string) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

func check(holds bool, otherwise string) {
	if !holds {
		fmt.Fprintln(os.Stderr, otherwise)
		os.Exit(1)
	}
}
