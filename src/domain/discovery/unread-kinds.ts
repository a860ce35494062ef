import type { FilePath } from './extractors/extractor.ts';

/** A kind of file that other tools read and Pacekeeper doesn't. Scans count its files. */
export interface UnreadKind {
  title: string;
  /** The files, as the documentation describes them. */
  files: string;
  /** Names of files, in lower case. */
  names?: readonly string[];
  /** Extensions of file names, without the leading dot, in lower case. */
  extensions?: readonly string[];
  /** Matches the name of a file. */
  base?: RegExp;
  /** Matches the path of a file, for kinds that only the directory identifies. */
  path?: RegExp;
  /**
   * Matches the end of the name, in addition to `base` or `path`. One expression for both would take
   * quadratic time.
   */
  ending?: RegExp;
  /** Matches the text of a file that is read anyway and contains no version. The check takes linear time. */
  content?: RegExp;
  /**
   * Matches the names of the files to which `content` applies. Without it, `content` applies to every file.
   */
  contentBase?: RegExp;
  /**
   * True if files of this kind describe no deployed software. Otherwise, a later release of Pacekeeper could
   * read the kind.
   */
  isOutOfScope?: true;
  /** Reason that Pacekeeper doesn't read the kind. */
  why: string;
}

const programs = 'A program. Its versions are known only when it runs.';
const language = 'A language whose values are known only when it is evaluated.';
const notYet = 'Not supported.';
const dependencies = 'Dependencies of an application. Its release contains them.';

/**
 * All kinds of files that Pacekeeper recognizes but doesn't read, by name. Add a kind only if no extractor
 * reads it, and remove it when an extractor for it is added.
 */
export const unreadKinds = {
  salt: {
    title: 'Salt',
    files: '`*.sls`, `Saltfile`',
    names: ['saltfile'],
    extensions: ['sls'],
    why: notYet,
  },
  chef: {
    title: 'Chef',
    files: '`Berksfile`, `Policyfile.rb`, `cookbooks/**.rb`',
    names: ['berksfile', 'berksfile.lock', 'policyfile.rb', 'policyfile.lock.json', 'cheffile'],
    path: /cookbooks\//,
    ending: /\.rb$/i,
    why: programs,
  },
  puppet: {
    title: 'Puppet',
    files: '`*.pp`, `Puppetfile`, `hiera.yaml`',
    names: ['puppetfile', 'hiera.yaml'],
    extensions: ['pp'],
    why: notYet,
  },
  pulumi: {
    title: 'Pulumi',
    files: '`Pulumi.yaml`, `Pulumi.*.yaml`',
    base: /^Pulumi(?:\..+)?\.ya?ml$/,
    why: programs,
  },
  cdk: {
    title: 'AWS CDK, CDK for Terraform',
    files: '`cdk.json`, `cdktf.json`',
    names: ['cdk.json', 'cdktf.json'],
    why: programs,
  },
  cdk8s: { title: 'cdk8s', files: '`cdk8s.yaml`', names: ['cdk8s.yaml', 'cdk8s.yml'], why: programs },
  jsonnet: {
    title: 'Jsonnet, Tanka',
    files: '`*.jsonnet`, `*.libsonnet`, `jsonnetfile.json`',
    names: ['jsonnetfile.json', 'jsonnetfile.lock.json', 'chartfile.yaml'],
    extensions: ['jsonnet', 'libsonnet'],
    why: language,
  },
  cue: { title: 'CUE', files: '`*.cue`', extensions: ['cue'], why: language },
  dhall: { title: 'Dhall', files: '`*.dhall`', extensions: ['dhall'], why: language },
  kcl: {
    title: 'KCL',
    files: '`*.k`, `kcl.mod`',
    names: ['kcl.mod', 'kcl.mod.lock'],
    extensions: ['k'],
    why: language,
  },
  nickel: { title: 'Nickel', files: '`*.ncl`', extensions: ['ncl'], why: language },
  nix: {
    title: 'Nix',
    files: '`*.nix`, `flake.lock`, `devbox.json`',
    names: ['flake.lock', 'devbox.json', 'devbox.lock'],
    extensions: ['nix'],
    why: language,
  },
  azure_templates: {
    title: 'Bicep, Azure Resource Manager',
    files: '`*.bicep`, `*.bicepparam`, `azuredeploy*.json`',
    names: ['maintemplate.json'],
    extensions: ['bicep', 'bicepparam'],
    base: /^azuredeploy.*\.json$/i,
    why: notYet,
  },
  serverless: {
    title: 'Serverless Framework in a program or JSON',
    files: '`serverless.json`, programs in JavaScript or TypeScript',
    names: ['serverless.ts', 'serverless.js', 'serverless.json'],
    why: notYet,
  },
  ecs: {
    title: 'Amazon ECS, Elastic Beanstalk',
    files: '`task-definition*.json`, `taskdef*.json`, `ecs-params.yml`, `Dockerrun.aws.json`',
    names: ['ecs-params.yml', 'ecs-params.yaml', 'dockerrun.aws.json'],
    base: /task[-_]?definition|^taskdef/i,
    ending: /\.json$/i,
    why: notYet,
  },
  packer: {
    title: 'Packer',
    files: '`*.pkr.hcl`, `*.pkrvars.hcl`, `packer.json`',
    names: ['packer.json'],
    extensions: ['pkr.hcl', 'pkrvars.hcl', 'pkr.json'],
    why: notYet,
  },
  vagrant: { title: 'Vagrant', files: '`Vagrantfile`', names: ['vagrantfile'], why: programs },
  carvel: {
    title: 'Carvel',
    files: '`vendir.yml`, `vendir.lock.yml`',
    names: ['vendir.yml', 'vendir.yaml', 'vendir.lock.yml', 'vendir.lock.yaml'],
    why: notYet,
  },
  helmsman: {
    title: 'Helmsman',
    files: '`helmsman.yaml`',
    base: /^helmsman.*\.(?:ya?ml|toml)$/,
    why: notYet,
  },
  operators: {
    title: 'Subscriptions of the Operator Lifecycle Manager',
    files: 'a Subscription without `startingCSV`',
    content:
      /^(?:apiVersion: *["']?operators\.coreos\.com\/\w+["']? *\r?\nkind: *["']?Subscription\b|kind: *["']?Subscription["']? *\r?\napiVersion: *["']?operators\.coreos\.com\/)/m,
    why: 'A channel. The cluster installs its newest version.',
  },
  glasskube: {
    title: 'Glasskube',
    files: '`glasskube/*.yaml`',
    path: /(?:^|\/)glasskube\//,
    ending: /\.ya?ml$/i,
    why: notYet,
  },
  chart_archive: {
    title: 'Helm chart archives',
    files: '`charts/*.tgz`',
    path: /(?:^|\/)charts\/[^/]+\.tgz$/,
    why: 'Archives. `Chart.yaml` or `Chart.lock` names their versions.',
  },
  platforms: {
    title: 'Fly.io, Render, Heroku, App Engine',
    files: '`fly.toml`, `render.yaml`, `heroku.yml`, `app.yaml` with a runtime',
    names: ['fly.toml', 'render.yaml', 'heroku.yml'],
    content: /^runtime:\s*["']?(?:python|nodejs|go|java|php|ruby|custom)\d*["']?\s*$/m,
    contentBase: /^app.*\.ya?ml$/,
    why: notYet,
  },
  home_assistant: {
    title: 'Home Assistant',
    files: '`custom_components/*/manifest.json`',
    path: /(?:^|\/)custom_components\/[^/]+\/manifest\.json$/,
    why: notYet,
  },
  otel_builder: {
    title: 'OpenTelemetry Collector Builder',
    files: '`builder-config.yaml`, `*ocb*.yaml`',
    base: /^builder-config\.ya?ml$|\bocb\b/,
    ending: /\.ya?ml$/,
    why: notYet,
  },
  git_submodules: {
    title: 'Git submodules',
    files: '`.gitmodules`',
    names: ['.gitmodules'],
    why: 'A submodule is a commit, and `.gitmodules` names no version.',
  },
  bake: {
    title: 'Docker Bake',
    files: '`docker-bake.hcl`, `docker-bake.json`',
    base: /^docker-bake.*\.(?:hcl|json)$/,
    why: notYet,
  },
  dev_tools: {
    title: 'Skaffold, Tilt, DevSpace, Garden, Okteto',
    files: '`skaffold.yaml`, `Tiltfile`, `devspace.yaml`, `garden.yml`, `okteto.yml`',
    names: [
      'skaffold.yaml',
      'skaffold.yml',
      'tiltfile',
      'devspace.yaml',
      'devspace.yml',
      'garden.yml',
      'garden.yaml',
      'okteto.yml',
      'okteto.yaml',
      'batect.yml',
    ],
    content: /^apiVersion:\s*["']?(?:skaffold|garden\.io)\//m,
    why: 'Development environments, which are not deployed.',
  },
  earthly: {
    title: 'Earthly, Dagger',
    files: '`Earthfile`, `dagger.json`',
    names: ['earthfile', 'dagger.json'],
    why: notYet,
  },
  scripts: {
    title: 'Scripts, Makefiles, Taskfiles',
    files: '`*.sh`, `Makefile`, `Justfile`, `Taskfile.yml` with a version that no command uses',
    content:
      /https?:\/\/[^\s"']{4,200}\/releases\/download\/v?\d|_VERSION["']?[ \t]{0,9}(?::|[:?]?=)[ \t]{0,9}["']?v?\d/,
    contentBase: /\.(?:sh|bash)$|^(?:GNUm|m|M)akefile$|^[jJ]ustfile$|^\.?[tT]askfile.*\.ya?ml$/,
    why: programs,
  },
  other_ci: {
    title: 'Buildkite, Travis CI, Cloud Build, CodeBuild, AppVeyor, Semaphore, TeamCity, Vela, Bitrise',
    files:
      '`.buildkite/`, `.travis.yml`, `cloudbuild.yaml`, `buildspec.yml`, `appveyor.yml`, `.semaphore/`, `.teamcity/`, `.vela.yml`, `bitrise.yml`',
    names: [
      '.travis.yml',
      'appveyor.yml',
      '.appveyor.yml',
      '.cirrus.yml',
      '.vela.yml',
      '.vela.yaml',
      'bitrise.yml',
      'buildspec.yml',
      'buildspec.yaml',
      'wercker.yml',
      'codefresh.yml',
    ],
    path: /(?:^|\/)\.(?:buildkite|semaphore|teamcity)\//,
    ending: /\.(?:ya?ml|kts?|json)$/i,
    base: /^cloudbuild.*\.(?:ya?ml|json)$/,
    why: notYet,
  },
  tool_files: {
    title: 'Other tool versions',
    files: '`.bazelversion`, `.prototools`, `.fvmrc`, `pixi.toml`',
    names: ['.bazelversion', '.prototools', '.fvmrc', 'pixi.toml', '.copier-answers.yml'],
    why: notYet,
  },
  homebrew: {
    title: 'Homebrew',
    files: '`Formula/*.rb`, `Casks/*.rb`, `Brewfile`',
    names: ['brewfile', 'brewfile.lock.json'],
    path: /(?:^|\/)(?:Formula|Casks)\//,
    ending: /\.rb$/i,
    why: 'A package, which is not deployed.',
    isOutOfScope: true,
  },
  bazel: {
    title: 'Bazel',
    files: '`MODULE.bazel`, `WORKSPACE`, `BUILD.bazel`',
    names: ['module.bazel', 'workspace', 'workspace.bazel', 'build.bazel', 'module.bazel.lock'],
    why: dependencies,
    isOutOfScope: true,
  },
  npm: {
    title: 'npm, pnpm, Yarn, Bun, Deno',
    files: '`package.json`, lock files',
    names: [
      'package.json',
      'package-lock.json',
      'npm-shrinkwrap.json',
      'pnpm-lock.yaml',
      'pnpm-workspace.yaml',
      'yarn.lock',
      'bun.lock',
      'bun.lockb',
      'deno.json',
      'deno.jsonc',
      'deno.lock',
      'bower.json',
    ],
    why: dependencies,
    isOutOfScope: true,
  },
  go_modules: {
    title: 'Go modules',
    files: '`go.mod`, `go.sum`, `go.work`',
    names: ['go.mod', 'go.sum', 'go.work'],
    why: dependencies,
    isOutOfScope: true,
  },
  jvm: {
    title: 'Maven, Gradle, sbt, Leiningen',
    files: '`pom.xml`, `*.gradle`, `*.gradle.kts`, `libs.versions.toml`, `build.sbt`, `project.clj`',
    names: [
      'pom.xml',
      'gradle.lockfile',
      'gradle-wrapper.properties',
      'maven-wrapper.properties',
      'build.sbt',
      'project.clj',
      'deps.edn',
      'ivy.xml',
    ],
    extensions: ['gradle', 'gradle.kts', 'versions.toml'],
    why: dependencies,
    isOutOfScope: true,
  },
  python: {
    title: 'Python packages',
    files: '`pyproject.toml`, `requirements*.txt`, `Pipfile`, lock files',
    names: [
      'pyproject.toml',
      'setup.py',
      'setup.cfg',
      'pipfile',
      'pipfile.lock',
      'poetry.lock',
      'uv.lock',
      'pdm.lock',
    ],
    base: /^requirements.*\.(?:txt|in)$/,
    path: /(?:^|\/)requirements\/[^/]+\.(?:txt|in)$/,
    why: dependencies,
    isOutOfScope: true,
  },
  rust: {
    title: 'Cargo',
    files: '`Cargo.toml`, `Cargo.lock`',
    names: ['cargo.toml', 'cargo.lock'],
    why: dependencies,
    isOutOfScope: true,
  },
  ruby: {
    title: 'RubyGems',
    files: '`Gemfile`, `*.gemspec`',
    names: ['gemfile', 'gemfile.lock', 'gems.rb'],
    extensions: ['gemspec'],
    why: dependencies,
    isOutOfScope: true,
  },
  php: {
    title: 'Composer',
    files: '`composer.json`, `composer.lock`',
    names: ['composer.json', 'composer.lock'],
    why: dependencies,
    isOutOfScope: true,
  },
  dotnet: {
    title: 'NuGet',
    files: '`*.csproj`, `packages.config`, `Directory.Packages.props`, `global.json`',
    names: [
      'packages.config',
      'directory.packages.props',
      'packages.lock.json',
      'global.json',
      'paket.dependencies',
      'paket.lock',
    ],
    extensions: ['csproj', 'fsproj', 'vbproj'],
    why: dependencies,
    isOutOfScope: true,
  },
  other_dependencies: {
    title: 'Packages of other languages',
    files:
      '`mix.exs`, `pubspec.yaml`, `Package.swift`, `Podfile`, `conanfile.*`, `*.cabal`, `cpanfile`, `gleam.toml`, `typst.toml`',
    names: [
      'mix.exs',
      'mix.lock',
      'rebar.config',
      'pubspec.yaml',
      'pubspec.lock',
      'package.swift',
      'package.resolved',
      'podfile',
      'podfile.lock',
      'cartfile',
      'conanfile.txt',
      'conanfile.py',
      'vcpkg.json',
      'cpanfile',
      'gleam.toml',
      'typst.toml',
      'cabal.project',
    ],
    extensions: ['cabal'],
    why: dependencies,
    isOutOfScope: true,
  },
  sops: {
    title: 'SOPS',
    files: 'encrypted files',
    extensions: ['sops.yaml', 'sops.yml', 'sops.json', 'sops.env', 'enc.yaml', 'enc.yml', 'enc.json'],
    content: /\bENC\[AES256_GCM,/,
    why: 'Secrets. Pacekeeper reads only values that are not encrypted.',
    isOutOfScope: true,
  },
} as const satisfies Record<string, UnreadKind>;

export type UnreadKindName = keyof typeof unreadKinds;

const entries = Object.entries(unreadKinds) as [UnreadKindName, UnreadKind][];
const byName = new Map(
  entries.flatMap(([kind, { names = [] }]) => names.map((name) => [name, kind] as const)),
);
const byExtension = new Map(
  entries.flatMap(([kind, { extensions = [] }]) => extensions.map((end) => [end, kind] as const)),
);
const byBase = entries.flatMap(([kind, { base, ending }]) => (base ? [{ kind, base, ending }] : []));
const byPath = entries.flatMap(([kind, { path, ending }]) => (path ? [{ kind, path, ending }] : []));
const byContent = entries.flatMap(([kind, { content, contentBase }]) =>
  content ? [{ kind, content, contentBase }] : [],
);
/** Combined patterns for all kinds, so that two tests rule out most files. */
const anyBase = new RegExp(byBase.map(({ base }) => base.source).join('|'), 'i');
const anyPath = new RegExp(byPath.map(({ path }) => path.source).join('|'), 'i');
/** Maximum length of a name that is matched with patterns. File systems have the same limit. */
const maxNameLength = 255;

export function isUnreadKind(name: string): name is UnreadKindName {
  return Object.hasOwn(unreadKinds, name);
}

/** Returns the kind that the name of a file shows, or null. */
export function unreadKindOf({ path, base }: FilePath): UnreadKindName | null {
  const name = base.toLowerCase();
  const named = byName.get(name);
  if (named !== undefined) return named;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const kind = byExtension.get(name.slice(dot + 1));
    // Skip a name such as `.nix`, which consists only of the extension.
    if (kind !== undefined && dot > 0) return kind;
  }
  if (base.length > maxNameLength) return null;
  const hasEnding = (ending: RegExp | undefined) => ending === undefined || ending.test(base);
  const matched = anyBase.test(base)
    ? byBase.find((kind) => kind.base.test(base) && hasEnding(kind.ending))
    : undefined;
  if (matched) return matched.kind;
  if (!anyPath.test(path)) return null;
  return byPath.find((kind) => kind.path.test(path) && hasEnding(kind.ending))?.kind ?? null;
}

/** Returns the kind that the text of a file shows, or null. */
export function unreadKindOfText(text: string, { base }: FilePath): UnreadKindName | null {
  const found = byContent.find(
    ({ content, contentBase }) => (contentBase?.test(base) ?? true) && content.test(text),
  );
  return found?.kind ?? null;
}
