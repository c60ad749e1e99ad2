<?php
// Looks up a CEP: php lookup.php 01310-100

// The routes of ViaCEP, on your own server first.
$servers = [
    getenv('CEP_URL') ?: 'http://localhost:8080',
    getenv('CEP_FALLBACK_URL') ?: 'https://viacep.com.br',
];
const SECONDS = 2;

/** Returns the record of a CEP, null if it does not exist. */
function lookup(array $servers, string $cep): ?array
{
    $context = stream_context_create([
        'http' => ['timeout' => SECONDS, 'ignore_errors' => true],
    ]);
    foreach ($servers as $server) {
        $http_response_header = [];
        $url = "$server/ws/" . rawurlencode($cep) . '/json/';
        $body = @file_get_contents($url, false, $context);
        $status = (int) explode(' ', $http_response_header[0] ?? ' 0')[1];
        if ($status === 400) {
            throw new InvalidArgumentException("CEP inválido: $cep");
        }
        if ($body === false || $status !== 200) {
            continue; // down, too slow, 429 or 5xx: ask the other server
        }
        $record = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        return isset($record['erro']) ? null : $record;
    }
    throw new RuntimeException('Nenhum servidor respondeu');
}

$record = lookup($servers, $argv[1]);
if ($record === null) {
    fwrite(STDERR, "CEP não encontrado\n");
    exit(1);
}
echo "{$record['logradouro']}, {$record['localidade']}/{$record['uf']}\n";
