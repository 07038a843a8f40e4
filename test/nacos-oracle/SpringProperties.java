import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Scanner;
import java.util.stream.Collectors;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.core.io.ByteArrayResource;

/** Answers each line of standard input, as JavaProperties does, with the documents that the loader of Spring Boot reads. */
public class SpringProperties {
  public static void main(String[] words) throws Exception {
    var lines = new Scanner(System.in, StandardCharsets.US_ASCII);
    while (lines.hasNextLine()) {
      System.out.println(read(Base64.getDecoder().decode(lines.nextLine().split(" ", -1)[0])));
    }
  }

  static String read(byte[] bytes) throws Exception {
    try {
      return new PropertiesPropertySourceLoader().load("text", new ByteArrayResource(bytes)).stream()
          .map(document -> entriesOf((OriginTrackedMapPropertySource) document))
          .collect(Collectors.joining(",", "[", "]"));
    } catch (IllegalStateException refused) {
      return "\"refused\"";
    }
  }

  static String entriesOf(OriginTrackedMapPropertySource document) {
    return document.getSource().entrySet().stream()
        .map(each -> "[" + Json.of(each.getKey()) + "," + Json.of(each.getValue()) + "]")
        .collect(Collectors.joining(",", "[", "]"));
  }
}
