// Sends addresses as NDJSON and prints the answers while they arrive:
// java Clean.java < enderecos.ndjson > ceps.ndjson

import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;

public class Clean {
  public static void main(String[] args) throws Exception {
    var server = Optional.ofNullable(System.getenv("CEP_URL"))
        .orElse("http://localhost:8080");
    var request = HttpRequest.newBuilder(URI.create(server + "/enderecos"))
        .header("Content-Type", "application/x-ndjson")
        .POST(BodyPublishers.ofInputStream(() -> System.in))
        .build();
    // Answers are read while rows are sent: any size fits into memory.
    // By default the client asks for HTTP/2 in a way that Deno refuses.
    var client = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1).build();
    var response = client.send(request, BodyHandlers.ofInputStream());
    try (InputStream answers = response.body()) {
      OutputStream out =
          response.statusCode() == 200 ? System.out : System.err;
      answers.transferTo(out);
      out.flush();
    }
    System.exit(response.statusCode() == 200 ? 0 : 1);
  }
}
