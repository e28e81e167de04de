package io.leeway.autotune.services;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** A servlet in embedded Tomcat: {@code threads=, connections=, held=}. Prints its port. */
public final class TomcatService {

    private TomcatService() {}

    /** Starts it. */
    public static void main(String[] arguments) throws IOException, LifecycleException {
        var given = new Arguments(arguments);
        Work work = given.work();
        var tomcat = new Tomcat();
        File base = Files.createTempDirectory("autotune-tomcat-").toFile();
        base.deleteOnExit();
        tomcat.setBaseDir(base.getPath());
        tomcat.setPort(given.number("port", 0));
        tomcat.getConnector().setProperty("maxThreads", given.text("threads", "200"));
        tomcat.getConnector().setProperty("minSpareThreads", "2");
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "work", new WorkServlet(work));
        context.addServletMappingDecoded("/*", "work");
        tomcat.start();
        System.out.println("port " + tomcat.getConnector().getLocalPort());
        tomcat.getServer().await();
    }

    private static final class WorkServlet extends HttpServlet {

        private static final long serialVersionUID = 1;

        private final transient Work work;

        WorkServlet(Work work) {
            this.work = work;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write(work.answer(request.getRequestURI()));
        }
    }
}
