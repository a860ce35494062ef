/**
 * The words by which `auto` reads versions. They are data: each list has the sentence that it stands for, and a word
 * belongs to one list only. Words are compared in lower case and as a whole: `rc` is found in `-rc.1` and `RC1`, not in
 * `-arch`.
 */

/** Say nothing, before the numbers as well as behind them: `v1.2`, `release/1.4.0`, `REL9_6_24`, `ver1.4.0`. */
export const ornamentWords: ReadonlySet<string> = words('v ver version rel release');

/** Stand behind the numbers and say nothing: `3.2.12.Final` is `3.2.12`. */
export const emptyWords: ReadonlySet<string> = words('final ga release stable');

/**
 * Name what a version was built for or runs on. A number behind such a word is the platform's and never makes a release
 * newer. Those of `codeNames` are such words too.
 */
export const platformWords: ReadonlySet<string> = words(
  // Distributions and their base images.
  'alpine debian deb ubuntu el rhel ubi centos fedora fc rocky rockylinux almalinux alma oraclelinux ol oracle',
  'amazonlinux al amzn suse sles opensuse leap photon wolfi arch busybox scratch distroless',
  'windows windowsservercore nanoserver ltsc sac servercore',
  // Runtimes and languages.
  'java jdk jre openjdk temurin corretto semeru zulu liberica graalvm hotspot ibmjava sapmachine',
  'php node nodejs python py cp ruby go golang dotnet aspnet net perl erlang otp elixir rust scala kotlin lua swift',
  'cuda cudnn rocm torch tf musl glibc gcc clang hadoop',
  // Web servers.
  'apache httpd nginx caddy tomcat jetty undertow wildfly openresty',
  // Databases.
  'mysql mariadb postgres postgresql pgsql pg mongo mongodb redis sqlite mssql',
);

/** Code names of distributions. With a date they are images of the distribution: `bookworm-20240701`. */
export const codeNames: ReadonlySet<string> = words(
  'wheezy jessie stretch buster bullseye bookworm trixie forky duke sid oldstable oldoldstable buggy',
  'precise trusty utopic vivid wily xenial yakkety zesty artful bionic cosmic disco eoan focal groovy hirsute impish',
  'jammy kinetic lunar mantic noble oracular plucky questing resolute stonking',
);

/** A number behind one of these counts fixes, builds or packages of one version, and the word names no flavor. */
export const revisionWords: ReadonlySet<string> = words(
  'p pl patch patchlevel post r rev revision u update b build bld hotfix hf fix sp sr security sec ls q pkg up cu fp ifix h s',
);

/** Stages before a release, the lowest first. A version with one is a pre-release. */
export const stageWords: readonly ReadonlySet<string>[] = [
  // Builds of what is being worked on.
  words(
    'dev develop development snapshot nightly daily weekly canary wip insider insiders',
    'unstable experimental exp test pr ci prealpha',
  ),
  words('alpha a'),
  words('beta b'),
  words('milestone m'),
  words('pre prerelease preview ea eap next tp'),
  words('rc c cr'),
];

/** Too short to be a stage without a number right behind: `M3`, `CR1`, `tp2`. */
export const stagesWithNumber: ReadonlySet<string> = words('m cr tp');

/** Too short to be a stage anywhere but right behind the numbers, with a number of its own: `3.8.0b1`. */
export const attachedStages: ReadonlySet<string> = words('a b c');

/** Too short to be found within longer words: the whole word with its number has to be one of these. */
export const wholeStages: ReadonlySet<string> = words('ea pr ci exp m cr tp');

/** Names that, standing alone before the numbers, say that these are builds of a branch and no releases. */
export const branchNames: ReadonlySet<string> = words(
  // `devel` behind the numbers is a flavor: an image with what is needed to compile.
  'main master trunk edge sha commit branch testing nightly canary devel',
);

/** Names of lines end with one of these where they are builds of what is being worked on. */
export const snapshotWords: ReadonlySet<string> = words('snapshot nightly canary');

/** Words before a commit id, which say as little as the id. */
export const commitWords: ReadonlySet<string> = words('g git sha commit');

/**
 * Names with digits in them: architectures, and what would otherwise fall apart into letters and revisions. A number
 * behind such a name is a revision: `+k3s2`, `+rke2r1`.
 */
export const namesWithDigits: readonly string[] = [
  ...['x86_64_v2', 'x86_64_v3', 'x86_64_v4', 'x86_64', 'x86', 'x64', 'i386', 'i486', 'i586', 'i686', 'amd64'],
  ...['arm64v8', 'arm64', 'aarch64', 'arm32v5', 'arm32v6', 'arm32v7', 'armv5', 'armv6', 'armv7', 'armv8'],
  ...['s390x', 'ppc64le', 'ppc64el', 'ppc64', 'riscv64', 'mips64le', 'mips64', 'loong64', 'loongarch64'],
  ...['win32', 'win64', '32bit', '64bit', 'k0s', 'k3s', 'k8s', 'rke2r', 'rke2', 'openj9', 'log4j'],
];

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
