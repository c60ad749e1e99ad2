// Looks up a CEP: java Lookup.java 01310-100

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

public class Lookup {
  // The routes of ViaCEP, on your own server first.
  static final List<String> SERVERS = List.of(
      setting("CEP_URL", "http://localhost:8080"),
      setting("CEP_FALLBACK_URL", "https://viacep.com.br"));
  static final int SECONDS = 2;
  // By default the client asks for HTTP/2 in a way that Deno refuses.
  static final HttpClient CLIENT = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(SECONDS)).build();

  static String setting(String name, String otherwise) {
    return Optional.ofNullable(System.getenv(name)).orElse(otherwise);
  }

  /** Returns the record of a CEP as JSON, empty if it does not exist. */
  static Optional<String> lookup(String cep)
      throws IOException, InterruptedException {
    var path = "/ws/" + URLEncoder.encode(cep, StandardCharsets.UTF_8) + "/json/";
    IOException last = null;
    for (String server : SERVERS) {
      try {
        var response = ask(URI.create(server + path));
        if (response.statusCode() == 400) {
          throw new IllegalArgumentException("CEP inválido: " + cep);
        }
        var body = response.body();
        if (response.statusCode() == 200 && body.contains("\"erro\"")) {
          return Optional.empty();
        }
        if (response.statusCode() == 200 && body.contains("\"cep\"")) {
          return Optional.of(body);
        }
        // 429, 5xx, or no JSON: ask the other server
        last = new IOException("HTTP " + response.statusCode());
      } catch (ExecutionException | TimeoutException error) {
        last = new IOException(error); // down, or too slow
      }
    }
    throw last;
  }

  /** Asks a server. The limit of a request alone ends with its headers. */
  static HttpResponse<String> ask(URI url)
      throws ExecutionException, InterruptedException, TimeoutException {
    return CLIENT.sendAsync(HttpRequest.newBuilder(url).build(),
        BodyHandlers.ofString()).get(SECONDS, TimeUnit.SECONDS);
  }

  /** Finds a text field. Use your JSON library in its place. */
  static String field(String json, String name) {
    var pattern = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"");
    var matcher = pattern.matcher(json);
    return matcher.find() ? matcher.group(1) : "";
  }

  public static void main(String[] args) throws InterruptedException {
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    var err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    try {
      var record = lookup(args[0])
          .orElseThrow(() -> new IOException("CEP não encontrado"));
      out.printf("%s, %s/%s%n", field(record, "logradouro"),
          field(record, "localidade"), field(record, "uf"));
    } catch (IOException | IllegalArgumentException error) {
      err.println(error.getMessage());
      System.exit(1);
    }
  }
}
