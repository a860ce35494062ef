/**
 * The built-in words of the `auto` scheme. Each word has only one meaning, except for `release` and `b`, whose meaning
 * depends on their position. Only whole words match, regardless of case: `rc` matches in `-rc.1` and `RC1`, but not in
 * `-arch`.
 */

/** Words without meaning, before or after the numbers: `v1.2`, `release/1.4.0`, `REL9_6_24`, `ver1.4.0`. */
export const ignoredWords: ReadonlySet<string> = words('v ver version rel release');

/** Words without meaning after the numbers: `3.2.12.Final` is `3.2.12`. */
export const ignoredSuffixWords: ReadonlySet<string> = words('final ga release stable');

/** Platforms that a version is built for or runs on, except for `codeNames`. */
export const platformWords: ReadonlySet<string> = words(
  // Distributions and their base images.
  'alpine debian deb ubuntu el rhel ubi centos fedora fc rocky rockylinux almalinux alma oraclelinux ol oracle',
  'amazonlinux al amzn suse sles opensuse leap photon wolfi arch busybox scratch distroless',
  'windows windowsservercore nanoserver ltsc sac servercore',
  // Runtimes and languages.
  'java jdk jre openjdk temurin corretto amazoncorretto semeru zulu liberica graalvm hotspot ibmjava sapmachine',
  'php node nodejs python py cp ruby go golang dotnet aspnet net perl erlang otp elixir rust scala kotlin lua swift',
  'cuda cudnn rocm torch tf musl glibc gcc clang hadoop',
  // Web servers.
  'apache httpd nginx caddy tomcat jetty undertow wildfly openresty',
  // Databases.
  'mysql mariadb postgres postgresql pgsql pg mongo mongodb redis sqlite mssql',
  // Message brokers.
  'kafka',
);

/**
 * Code names of distributions. A tag with only a code name and a date is an image of the distribution:
 * `bookworm-20240701`.
 */
export const codeNames: ReadonlySet<string> = words(
  'wheezy jessie stretch buster bullseye bookworm trixie forky duke sid oldstable oldoldstable buggy',
  'precise trusty utopic vivid wily xenial yakkety zesty artful bionic cosmic disco eoan focal groovy hirsute impish',
  'jammy kinetic lunar mantic noble oracular plucky questing resolute stonking',
);

/**
 * Platforms of RPM packages. A second number after one of these words is a package revision: the last 1 in `-4.el9.1`,
 * or in `-4.el8_6.1` for a minor release.
 */
export const distTags: ReadonlySet<string> = words('el rhel centos fc fedora amzn ol alma rocky photon');

/**
 * All platform words. A number after one of these words belongs to the platform and never affects which release is
 * newer.
 */
export const platformNames: ReadonlySet<string> = new Set([...platformWords, ...codeNames]);

/**
 * Words before a number that counts fixes, builds, or packages of one version. These words aren't part of the variant.
 */
export const revisionWords: ReadonlySet<string> = words(
  'p pl patch patchlevel post r rev revision u update b build bld hotfix hf fix sp sr security sec ls q pkg up cu fp ifix h s',
);

/**
 * Revision words with which upstream counts fixes. The other revision words count packages and builds of one version.
 */
export const fixWords: ReadonlySet<string> = words(
  'p pl patch patchlevel post u update hotfix hf fix sp sr security sec cu fp ifix',
);

/** Pre-release stages, lowest first. A version with a stage is a pre-release. */
export const stageWords: readonly ReadonlySet<string>[] = [
  // Development builds.
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

/** Index of each word in `stageWords`. */
export const levelOfStage: ReadonlyMap<string, number> = new Map(
  stageWords.flatMap((all, level) => [...all].map((word): [string, number] => [word, level])),
);

/**
 * Words that are a stage only if a number follows immediately, because they are short and have other meanings: `M3`,
 * `CR1`, `tp2`.
 */
export const stagesWithNumber: ReadonlySet<string> = words('m cr tp');

/**
 * Words that are a stage only between the numbers and another number, because single letters have many other meanings:
 * `3.8.0b1`.
 */
export const infixStages: ReadonlySet<string> = words('a b c');

/**
 * Words that aren't a stage if letters follow their number, because such a short word is then often part of another
 * name.
 */
export const delimitedStages: ReadonlySet<string> = words('ea pr ci exp m cr tp');

/** Line names that mark builds of a branch. */
export const branchNames: ReadonlySet<string> = words(
  // `devel` marks a branch only in a line name. After the numbers, it's a variant: an image with build tools.
  'main master trunk edge sha commit branch testing nightly canary devel',
);

/** Last words of line names that mark development builds. */
export const snapshotWords: ReadonlySet<string> = words('snapshot nightly canary');

/** Words before a commit ID. Like the ID, they have no meaning for the version. */
export const commitWords: ReadonlySet<string> = words('g git sha commit');

/**
 * Names that contain digits: architectures, and names that would otherwise be parsed as letters and revisions. A number
 * after such a name is a revision: `+k3s2`, `+rke2r1`.
 */
export const namesWithDigits: readonly string[] = [
  'x86_64_v2',
  'x86_64_v3',
  'x86_64_v4',
  'x86_64',
  'x86',
  'x64',
  'i386',
  'i486',
  'i586',
  'i686',
  'amd64',
  'arm64v8',
  'arm64',
  'aarch64',
  'arm32v5',
  'arm32v6',
  'arm32v7',
  'armv5',
  'armv6',
  'armv7',
  'armv8',
  's390x',
  'ppc64le',
  'ppc64el',
  'ppc64',
  'riscv64',
  'mips64le',
  'mips64',
  'loong64',
  'loongarch64',
  'win32',
  'win64',
  '32bit',
  '64bit',
  'k0s',
  'k3s',
  'k8s',
  'rke2r',
  'rke2',
  'openj9',
  'log4j',
];

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
