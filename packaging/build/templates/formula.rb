class {{.Class}} < Formula
  desc "{{.Command.Summary}}"
{{- if .Names.Repository}}
  homepage "{{.Names.Repository}}"
{{- end}}
  version "{{.Version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{.Archives.darwin_arm64.URL}}"
      sha256 "{{.Archives.darwin_arm64.Sum}}"
    end
    on_intel do
      url "{{.Archives.darwin_amd64.URL}}"
      sha256 "{{.Archives.darwin_amd64.Sum}}"
    end
  end

  on_linux do
    on_arm do
      url "{{.Archives.linux_arm64.URL}}"
      sha256 "{{.Archives.linux_arm64.Sum}}"
    end
    on_intel do
      url "{{.Archives.linux_amd64.URL}}"
      sha256 "{{.Archives.linux_amd64.Sum}}"
    end
  end

  def install
    prefix.install "bin", "share"
  end

  service do
    run [opt_bin/"{{.Command.Name}}", "{{.Argument}}"]
    working_dir Dir.home
    keep_alive crashed: true
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/{{.Command.Name}} --version")
  end
end
