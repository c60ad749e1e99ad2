// Looks up a CEP: java Lookup.java 01310-100

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

public class Lookup {
  // The routes of ViaCEP, on your own server first.
  static final List<String> SERVERS = List.of(
      setting("CEP_URL", "http://localhost:8080"),
      setting("CEP_FALLBACK_URL", "https://viacep.com.br"));
  static final Duration LIMIT = Duration.ofSeconds(2);
  // By default the client asks for HTTP/2 in a way that Deno refuses.
  static final HttpClient CLIENT = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1).connectTimeout(LIMIT).build();

  static String setting(String name, String otherwise) {
    return Optional.ofNullable(System.getenv(name)).orElse(otherwise);
  }

  /** Returns the record of a CEP as JSON, empty if it does not exist. */
  static Optional<String> lookup(String cep)
      throws IOException, InterruptedException {
    IOException last = null;
    for (String server : SERVERS) {
      var url = URI.create(server + "/ws/" + cep + "/json/");
      var request = HttpRequest.newBuilder(url).timeout(LIMIT).build();
      try {
        var response = CLIENT.send(request, BodyHandlers.ofString());
        if (response.statusCode() == 400) {
          throw new IllegalArgumentException("CEP inválido: " + cep);
        }
        if (response.statusCode() == 200) {
          return Optional.of(response.body())
              .filter(body -> !body.contains("\"erro\""));
        }
        // 429 or 5xx: ask the other server
        last = new IOException("HTTP " + response.statusCode());
      } catch (IOException error) {
        last = error; // down, or too slow
      }
    }
    throw last;
  }

  /** Finds a text field. Use your JSON library in its place. */
  static String field(String json, String name) {
    var pattern = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"");
    var matcher = pattern.matcher(json);
    return matcher.find() ? matcher.group(1) : "";
  }

  public static void main(String[] args) throws Exception {
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    var record = lookup(args[0]).orElse(null);
    if (record == null) {
      System.err.println("CEP nao encontrado");
      System.exit(1);
    }
    out.printf("%s, %s/%s%n", field(record, "logradouro"),
        field(record, "localidade"), field(record, "uf"));
  }
}
