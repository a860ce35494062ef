/**
 * Generators of clients, each with the command of docs/api.md. A generator that isn't installed here is
 * skipped by name.
 */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { sharedTestServer } from '../helpers/test-server.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const docs = readFileSync(path.join(root, 'docs/api.md'), 'utf8');
const minutes = 60_000;
/** Name of a rule, which each client lists. */
const ruleName = 'Listed by a generated client';

let env: NodeJS.ProcessEnv;
let description: string;

beforeAll(async () => {
  const server = await sharedTestServer();
  const { api, apiKey } = await server.createOrganization();
  const body = { name: ruleName, rule_type: 'majors_behind', thresholds: { high: 1 } } as const;
  await api.call('createRule', { body });
  env = { ...process.env, API_URL: `${server.url}/api/v1/client`, API_KEY: apiKey };
  const answer = await fetch(`${server.url}/api/spec/openapi-client.json`);
  expect(answer.headers.get('content-type')).toContain('application/json');
  description = await answer.text();
});

function isInstalled(...program: [string, ...string[]]): boolean {
  return spawnSync(program[0], program.slice(1)).status === 0;
}

/**
 * Runs a command in a directory and returns its output. The test fails if the command does. The server runs in
 * this process, so waiting must not block it.
 */
async function run(folder: string, program: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  return (await promisify(execFile)(program, args, options)).stdout;
}

/** Creates a directory with the description and the packages of this repository. */
function newFolder(files: Record<string, string>): string {
  const folder = realpathSync(temporaryFolder());
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'openapi-client.json'), description);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

/** Runs the documented command that begins with `beginning`. */
async function generate(folder: string, beginning: string): Promise<void> {
  const command = docs.split('\n').find((line) => line.startsWith(beginning));
  expect(command, `a command in docs/api.md that begins with ${beginning}`).toBeDefined();
  await run(folder, 'sh', '-c', command!);
}

const strict = ['--strict', '--target', 'es2022', '--skipLibCheck', '--types', 'node'];

test('openapi-typescript generates types that compile and describe a real call', {
  timeout: 5 * minutes,
}, async () => {
  const folder = newFolder({
    'package.json': '{ "type": "module" }',
    'main.ts': `
      import createClient from 'openapi-fetch';
      import type { paths } from './pacekeeper.ts';
      const headers = { 'x-api-key': process.env['API_KEY']! };
      const client = createClient<paths>({ baseUrl: process.env['API_URL']!, headers });
      const { data } = await client.GET('/rules', { params: { query: { limit: 200 } } });
      console.log(data!.items.map(({ name }) => name).join());`,
  });
  await generate(folder, 'npx openapi-typescript');
  const modules = ['--module', 'nodenext', '--noEmit', '--allowImportingTsExtensions'];
  await run(folder, 'npx', 'tsc', ...strict, ...modules, 'main.ts');
  expect(await run(folder, process.execPath, 'main.ts')).toContain(ruleName);
});

describe.skipIf(!isInstalled('openapi-python-client', '--version'))('openapi-python-client', () => {
  test('generates a package whose modules can be imported and that makes a real call', {
    timeout: 5 * minutes,
  }, async () => {
    const folder = newFolder({
      'main.py': `
import importlib, os, pkgutil
import pacekeeper_client
from pacekeeper_client import AuthenticatedClient
from pacekeeper_client.api.monitoring_rules import list_rules
for module in pkgutil.walk_packages(pacekeeper_client.__path__, "pacekeeper_client."):
    importlib.import_module(module.name)
client = AuthenticatedClient(os.environ["API_URL"], os.environ["API_KEY"], prefix="", auth_header_name="X-API-Key")
print([rule.name for rule in list_rules.sync(client=client).items])
`,
    });
    await generate(folder, 'openapi-python-client');
    expect(await run(folder, pythonOf('openapi-python-client'), 'main.py')).toContain(ruleName);
  });
});

describe.skipIf(!isInstalled('oapi-codegen', '--version') || !isInstalled('go', 'version'))(
  'oapi-codegen',
  () => {
    test('generates a package that compiles and makes a real call', { timeout: 10 * minutes }, async () => {
      const folder = newFolder({
        'oapi-codegen.yaml': /```yaml\n(package: [\s\S]*?)```/
          .exec(docs)![1]!
          .replace(/package: .*/, 'package: main'),
        'go.mod': 'module example.com/client\n\ngo 1.24\n',
        'main.go': `package main

import ("context"; "fmt"; "net/http"; "os")

func main() {
	client, err := NewClientWithResponses(os.Getenv("API_URL"), WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-API-Key", os.Getenv("API_KEY"))
			return nil
		}))
	if err != nil { panic(err) }
	rules, err := client.ListRulesWithResponse(context.Background(), &ListRulesParams{})
	if err != nil { panic(err) }
	for _, rule := range rules.JSON200.Items { fmt.Println(rule.Name) }
}
`,
      });
      await generate(folder, 'oapi-codegen');
      await run(folder, 'go', 'mod', 'tidy');
      expect(await run(folder, 'go', 'run', '.')).toContain(ruleName);
    });
  },
);

describe.skipIf(!isInstalled('openapi-generator-cli', 'version'))('openapi-generator', () => {
  test('generates a typescript-fetch client that compiles and makes a real call', {
    timeout: 10 * minutes,
  }, async () => {
    const folder = newFolder({
      'package.json': '{ "type": "commonjs" }',
      'main.ts': `
        import { Configuration, MonitoringRulesApi } from './pacekeeper-typescript';
        const configuration = new Configuration({ basePath: process.env['API_URL']!, apiKey: process.env['API_KEY']! });
        void new MonitoringRulesApi(configuration).listRules().then(({ items }) => console.log(items.map(({ name }) => name)));`,
    });
    await generate(folder, 'openapi-generator-cli generate -g typescript-fetch');
    const modules = [
      '--module',
      'commonjs',
      '--moduleResolution',
      'node10',
      '--lib',
      'es2022,dom',
      '--outDir',
      'built',
    ];
    await run(folder, 'npx', 'tsc', ...strict, ...modules, '--ignoreDeprecations', '5.0', 'main.ts');
    expect(await run(folder, process.execPath, 'built/main.js')).toContain(ruleName);
  });

  test.skipIf(!isInstalled(pythonOf('openapi-generator-cli'), '-c', 'import pydantic, dateutil, urllib3'))(
    'generates a python client whose modules can be imported and that makes a real call',
    { timeout: 10 * minutes },
    async () => {
      const folder = newFolder({
        'main.py': `
import importlib, os, pkgutil, sys
sys.path.insert(0, "pacekeeper-python")
import openapi_client
for module in pkgutil.walk_packages(openapi_client.__path__, "openapi_client."):
    importlib.import_module(module.name)
configuration = openapi_client.Configuration(os.environ["API_URL"], api_key={"ApiKey": os.environ["API_KEY"]})
with openapi_client.ApiClient(configuration) as client:
    print([rule.name for rule in openapi_client.MonitoringRulesApi(client).list_rules().items])
`,
      });
      await generate(folder, 'openapi-generator-cli generate -g python');
      expect(await run(folder, pythonOf('openapi-generator-cli'), 'main.py')).toContain(ruleName);
    },
  );

  test.skipIf(!isInstalled('go', 'version'))(
    'generates a go client that compiles and makes a real call',
    { timeout: 10 * minutes },
    async () => {
      const folder = newFolder({});
      await generate(folder, 'openapi-generator-cli generate -g go');
      const generated = path.join(folder, 'pacekeeper-go');
      await run(generated, 'mkdir', 'main');
      writeFileSync(
        path.join(generated, 'main/main.go'),
        `package main

import ("context"; "fmt"; "os"; client "github.com/GIT_USER_ID/GIT_REPO_ID")

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("API_URL")}}
	configuration.AddDefaultHeader("X-API-Key", os.Getenv("API_KEY"))
	rules, _, err := client.NewAPIClient(configuration).MonitoringRulesAPI.ListRules(context.Background()).Execute()
	if err != nil { panic(err) }
	for _, rule := range rules.Items { fmt.Println(rule.Name) }
}
`,
      );
      await run(generated, 'go', 'mod', 'tidy');
      expect(await run(generated, 'go', 'run', './main')).toContain(ruleName);
    },
  );
});

/** Returns the interpreter that a program written in Python runs with. */
function pythonOf(program: string): string {
  const { stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
  const first = stdout.trim() === '' ? '' : readFileSync(stdout.trim(), 'utf8').split('\n', 1)[0]!;
  return /^#!(\S+)/.exec(first)?.[1] ?? 'python3';
}
