// Sends addresses as NDJSON and prints the answers while they arrive:
// go run clean.go < enderecos.ndjson > ceps.ndjson
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func clean(server string, rows io.Reader, answers io.Writer) error {
	// Answers are read while rows are sent: any size fits into memory.
	response, err := http.Post(server+"/enderecos", "application/x-ndjson", rows)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(response.Body)
		return fmt.Errorf("%s: %s", response.Status, body)
	}
	_, err = io.Copy(answers, response.Body)
	return err
}

func main() {
	server := os.Getenv("CEP_URL")
	if server == "" {
		server = "http://localhost:8080"
	}
	if err := clean(server, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
