// Looks up a CEP: go run lookup.go 01310-100
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Record holds the fields of ViaCEP that this program uses.
type Record struct {
	Logradouro string `json:"logradouro"`
	Localidade string `json:"localidade"`
	UF         string `json:"uf"`
	Erro       any    `json:"erro"`
}

var errNotFound = errors.New("CEP não encontrado")

// The routes of ViaCEP, on your own server first.
var servers = []string{
	setting("CEP_URL", "http://localhost:8080"),
	setting("CEP_FALLBACK_URL", "https://viacep.com.br"),
}

var client = http.Client{Timeout: 2 * time.Second}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func lookup(cep string) (Record, error) {
	var last error
	for _, server := range servers {
		record, status, err := ask(server + "/ws/" + url.PathEscape(cep) + "/json/")
		switch {
		case err != nil:
			last = err // down, or too slow
		case status == http.StatusBadRequest:
			return Record{}, fmt.Errorf("CEP inválido: %s", cep)
		case status != http.StatusOK:
			last = fmt.Errorf("HTTP %d", status) // 429 or 5xx
		case record.Erro != nil:
			return Record{}, errNotFound
		default:
			return record, nil
		}
	}
	return Record{}, last
}

func ask(address string) (record Record, status int, err error) {
	response, err := client.Get(address)
	if err != nil {
		return record, 0, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		err = json.NewDecoder(response.Body).Decode(&record)
	}
	return record, response.StatusCode, err
}

func main() {
	record, err := lookup(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%s, %s/%s\n", record.Logradouro, record.Localidade, record.UF)
}
