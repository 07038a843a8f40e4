import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;

/** Prints what an application of Spring Boot takes `server.port` for, by all that it is given. */
public class SpringEnvironment {
  public static void main(String[] words) {
    var application = new SpringApplication(SpringEnvironment.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setBannerMode(Banner.Mode.OFF);
    application.setLogStartupInfo(false);
    System.out.println(application.run(words).getEnvironment().getProperty("server.port"));
  }
}
