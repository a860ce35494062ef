import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../tests/helpers/discover-files.ts';

/** Returns the plugins in a single file, each with its line. */
function pluginsOf(path: string, text: string): string[] {
  return discoverFiles({ [path]: text }).items.flatMap(({ extractor, place, artifact, version, reason }) =>
    extractor === 'traefik'
      ? `${place.line} ${artifact.name} ${version ?? '-'}${reason === null ? '' : ` (${reason})`}`
      : [],
  );
}

const yaml = `experimental:
  otlpLogs: true
  plugins:
    captcha-protect:
      modulename: github.com/acme/captcha
      version: v1.12.2 # newest
    "key.auth":
      version: "v0.2.3"
      settings: { useunsafe: true }
      moduleName: 'github.com/acme/key-auth/v2'
  localPlugins:
    own:
      moduleName: github.com/acme/own
`;

const indented = (text: string, spaces: number) => text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));

const option = '--experimental.plugins';

describe('the plugins of Traefik are read', () => {
  const both = (line: number) => [`${line + 5} acme/captcha v1.12.2`, `${line + 7} acme/key-auth v0.2.3`];

  test.each([
    ['traefik.yml', yaml, both(1)],
    ['deploy/traefik.tpl.yml', `log: {{ env "LEVEL" }}\n${yaml}`, both(2)],
    ['values.yaml', `deployment:\n  replicas: 2\n${yaml}`, both(3)],
    [
      'web.nomad.hcl',
      `job "web" {\n  task "t" {\n    template {\n      data = <<EOF\n${indented(yaml, 8)}EOF\n    }\n  }\n}\n`,
      both(5),
    ],
    [
      'traefik.toml',
      '[experimental]\n  [experimental.plugins.web]\n    moduleName = "github.com/acme/web"\n    version = "v1.2.3"\n[other]\n  version = "v9.9.9"\n',
      ['4 acme/web v1.2.3'],
    ],
    [
      'traefik.yml',
      'experimental: { plugins: { a: { moduleName: github.com/acme/a, version: v1.0.0 }, b: { version: v2.0.0, moduleName: "github.com/acme/b" } } }\n',
      ['1 acme/a v1.0.0', '1 acme/b v2.0.0'],
    ],
    [
      'traefik.yml',
      'experimental:\n  plugins:\n    a: { moduleName: github.com/acme/a, version: v1.0.0 }\n',
      ['3 acme/a v1.0.0'],
    ],
    [
      'compose.yaml',
      `services:\n  proxy:\n    image: traefik:v3.1.0\n    command:\n      - "${option}.b.moduleName=github.com/acme/b"\n      - "${option}.b.version=v1.7.1"\n      - ${option}.geo.modulename=github.com/acme/geo\n      - ${option}.geo.version=v1.1.4\n      - ${option}.geo.settings.useunsafe=true\n`,
      ['6 acme/b v1.7.1', '8 acme/geo v1.1.4'],
    ],
    [
      'compose.yaml',
      'services:\n  proxy:\n    image: traefik:v3.1.0\n    environment:\n      TRAEFIK_EXPERIMENTAL_PLUGINS_WEB_MODULENAME: github.com/acme/web\n      TRAEFIK_EXPERIMENTAL_PLUGINS_WEB_VERSION: v1.2.3\n',
      ['6 acme/web v1.2.3'],
    ],
    [
      'roles/traefik/defaults/main.yml',
      `commands:\n  - "${option}.web.modulename=github.com/acme/web"\n  - "${option}.web.version={{ web_version }}"\n`,
      ['3 acme/web {{ web_version }} (templated)'],
    ],
  ])('from %s: %#', (path, text, expected) => {
    expect(pluginsOf(path, text)).toEqual(expected);
  });

  test.each([
    [
      'comments',
      '#experimental:\n#  plugins:\n#    a:\n#      moduleName: github.com/acme/a\n#      version: v1.0.0\n',
    ],
    [
      'other maps',
      'experimental:\n  modules:\n    a:\n      moduleName: github.com/acme/a\n      version: v1.0.0\n',
    ],
    [
      'modules elsewhere',
      'experimental:\n  plugins:\n    a:\n      moduleName: example.org/a\n      version: v1.0.0\n',
    ],
    [
      'a module without a version',
      `a: ["${option}.a.moduleName=github.com/acme/a", "${option}.b.version=v1.0.0"]\n`,
    ],
  ])('but not from %s', (_, text) => {
    expect(pluginsOf('traefik.yml', text)).toEqual([]);
  });
});

test('a plugin of Traefik has its repository as the source, and keeps its identity with a new version', () => {
  expect(describeItems({ 'traefik.yml': yaml })).toEqual([
    'github.com/acme/captcha v1.12.2',
    'github.com/acme/key-auth v0.2.3',
  ]);
  const keysOf = (text: string) => discoverFiles({ 'traefik.yml': text }).items.map(({ key }) => key);
  expect(keysOf(yaml.replace('v1.12.2', 'v1.13.0'))).toEqual(keysOf(yaml));
});
