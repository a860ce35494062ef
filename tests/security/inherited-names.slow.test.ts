import { describe, expect, test } from 'vitest';
import { readImagePage } from '../../src/domain/artifacts/image-pages.ts';
import { createDocumentCheck } from '../../src/domain/configuration/check-document.ts';
import { mergeDerivedLabels } from '../../src/domain/discovery/derived-values.ts';
import { extractorLabels } from '../../src/domain/discovery/extractor-labels.ts';
import { normalizePrefix, upstreamOf } from '../../src/domain/identity/artifact-aliases.ts';
import { normalizePurls } from '../../src/domain/identity/job-identity.ts';
import { parseCron } from '../../src/domain/scheduling/cron-expression.ts';
import { guessSource, possibleSources } from '../../src/domain/source-types/guess-source.ts';
import { sourceTypes } from '../../src/domain/source-types/source-types.ts';
import schema from '../../src/generated/configuration-schema.json' with { type: 'json' };
import { type Call, callOperation, validCalls } from '../contract/calls.ts';
import { findResponseViolation } from '../contract/check-response.ts';
import { startContractInbox } from '../contract/contract-inbox.ts';
import { contractOperations } from '../contract/contract-operations.ts';
import { loginProviderEnvironment } from '../contract/contract-provider.ts';
import { buildWorld } from '../contract/world.ts';
import { discoverFiles } from '../helpers/discover-files.ts';
import { codeLinesMatching, filesOf } from '../helpers/source-lines.ts';
import { startTestServer } from '../helpers/test-server.ts';

/** Names that every object inherits, each with a similar name that no object has. */
const names = [
  ['constructor', 'constructar'],
  ['__proto__', '__prota__'],
  ['toString', 'toStrinq'],
  ['hasOwnProperty', 'hasOwnPropertx'],
  ['valueOf', 'valueOx'],
] as const;

/** Files of every kind that contain a name wherever a person can choose one. */
function filesWith(n: string): Record<string, string> {
  const object = (apiVersion: string, kind: string, spec: string) =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: ${n}, namespace: ${n}, labels: { ${n}: "1.2" } }\nspec: ${spec}\n`;
  const pod = `{ containers: [{ name: ${n}, image: "${n}:1.2" }, { name: b, image: "${n}/${n}:1.2" }] }`;
  return {
    '.tool-versions': `${n} 1.2.3\nubi:${n}/${n} 1.2.3\n`,
    'mise.toml': `[tools]\n"${n}" = "1.2.3"\nnode = "20.1.0"\n`,
    '.github/workflows/a.yml': `env: { ${n}: "1.2" }\njobs:\n  ${n}:\n    container: "${n}:1"\n    services: { ${n}: { image: "${n}:1.2" } }\n    steps:\n    - { uses: "x/setup-${n}@v1", with: { ${n}-version: "1.2", version: "2.1", ${n}: "3.4" } }\n    - { uses: "${n}/${n}@v1.2.3", with: { ${n}: "1.2" } }\n`,
    '.gitlab-ci.yml': `image: "${n}:$${n}"\nvariables: { ${n}: "1.2" }\ninclude: [{ project: ${n}/${n}, ref: v1.2.3, file: a.yml }]\n${n}: { stage: test, image: "${n}:1.2", services: ["${n}:1.2"], script: [a] }\n`,
    'azure-pipelines.yml': `steps: [{ task: "${n}@1", inputs: { version: "20", ${n}: "1" } }, { task: NodeTool@0, inputs: { versionSpec: "20.1.0" } }]\nresources: { containers: [{ container: ${n}, image: "${n}:1.2" }] }\n`,
    '.circleci/config.yml': `version: 2.1\norbs: { ${n}: "${n}/${n}@1.2.3" }\njobs: { ${n}: { docker: [{ image: "${n}:1.2" }] } }\n`,
    '.pre-commit-config.yaml': `repos: [{ repo: "https://github.com/${n}/${n}", rev: v1.2.3, hooks: [{ id: ${n} }] }]\n`,
    'playbook.yml': `- hosts: all\n  vars: { ${n}: "1.2", ${n}_version: "1.2.3" }\n  tasks:\n  - ${n}: { name: x, image: "a/b:1" }\n  - community.docker.docker_container: { name: "${n}", image: "${n}:1.2" }\n`,
    'requirements.yml': `collections: [{ name: "${n}.${n}", version: "1.2.3", type: ${n} }]\nroles: [{ src: "${n}", version: "1.2.3", scm: ${n} }]\n`,
    'execution-environment.yml': `version: 3\nimages: { base_image: { name: "${n}/${n}:1.2" } }\ndependencies: { galaxy: { collections: [{ name: "${n}.${n}", version: "1.2.3", type: ${n} }] }, python: ["${n}==1.2.3"], ${n}: { package_pip: "${n}==1.2.3" } }\nadditional_build_steps: { ${n}: ["COPY --from=${n}/${n}:1.2 a b"] }\n`,
    'roles/web/defaults/main.yml': `${n}: "1.2"\nweb_image: "${n}:1.2"\n`,
    'cloudformation/a.yaml': `AWSTemplateFormatVersion: "2010-09-09"\nParameters: { ${n}: { Type: String, Default: "1.2" } }\nMappings: { ${n}: { ${n}: { ${n}: "1.29" } } }\nResources:\n  A: { Type: "AWS::${n}", Properties: { Version: "1", EngineVersion: "2", Engine: "${n}" } }\n  B: { Type: "AWS::RDS::DBInstance", Properties: { Engine: "${n}", EngineVersion: "16.1" } }\n  C: { Type: "AWS::EKS::Cluster", Properties: { Version: !Ref ${n} } }\n  D: { Type: "AWS::EKS::Cluster", Properties: { Version: !FindInMap [${n}, ${n}, ${n}] } }\n`,
    'main.tf': `${n} "x" { version = "1" }\nresource "${n}" "x" {\n version = "1.2"\n engine = "${n}"\n engine_version = "1.2"\n}\nresource "docker_image" "${n}" { name = "${n}:1.2" }\nresource "helm_release" "${n}" {\n chart = "${n}"\n repository = "https://charts.example.org"\n version = "1.2.3"\n}\nmodule "${n}" {\n source = "${n}/${n}/${n}"\n version = "1.2.3"\n}\nterraform {\n required_providers {\n  ${n} = {\n   source = "${n}/${n}"\n   version = "1.2.3"\n  }\n }\n}\nresource "aws_rds_cluster" "y" {\n engine = "${n}"\n engine_version = var.${n}\n}\nresource "aws_eks_cluster" "z" { version = local.${n} }\nlocals { ${n} = "1.29" }\nvariable "${n}" { default = "16.1" }\n`,
    'json/main.tf.json': `{"resource":{"${n}":{"x":{"version":"1"}},"docker_image":{"${n}":{"name":"${n}:1.2"}}},"${n}":{"a":{"b":1}},"module":{"${n}":{"source":"${n}/${n}/${n}","version":"1.2.3"}}}`,
    'live/terragrunt.hcl': `terraform { source = "git::https://github.com/${n}/${n}.git//a?ref=v1.2.3" }\ninputs = { ${n} = "1.2", ${n}_version = "1.2" }\n`,
    'web.nomad': `job "${n}" {\n group "${n}" {\n  task "${n}" {\n   driver = "docker"\n   config { image = "${n}:1.2" }\n  }\n }\n}\n`,
    'web.container': `[Unit]\n[Container]\nImage=${n}:1.2\nLabel=${n}=1.2\n`,
    'traefik.yml': `experimental: { plugins: { ${n}: { moduleName: github.com/${n}/${n}, version: v1.2.3 } } }\n`,
    'traefik.toml': `[experimental.plugins.${n}]\nmoduleName = "github.com/${n}/${n}"\nversion = "v1.2.3"\n`,
    [`web.${n}`]: `[Container]\nImage=${n}:1.2\n`,
    Dockerfile: `ARG ${n}=1.2\nFROM ${n}:\${${n}} AS ${n}\nFROM ${n}\nFROM ${n}/${n}:1.2\nENV ${n}_VERSION=1.2\n# renovate: datasource=${n} depName=${n}\nENV X=1.2\n# renovate: datasource=github-releases depName=${n}/${n}\nENV Y=1.2\n`,
    'compose.yaml': `services:\n  ${n}: { image: "${n}:\${${n}}" }\n  a: { extends: ${n} }\n  b: { image: "${n}/${n}:1.2" }\n  ok: { image: "acme/ok:1" }\n`,
    '.env': `${n}=1.2\n`,
    'settings.toml': `[${n}]\nimage = "${n}/${n}:1.2"\nother_image = "acme/ok:1.2"\n`,
    'versions.env': `# renovate: datasource=${n} depName=${n}\nA_VERSION=1.2\n# renovate: datasource=node-version depName=${n}\nB_VERSION=1.2\n`,
    'flux-apps.yaml': object(
      'kustomize.toolkit.fluxcd.io/v1',
      'Kustomization',
      `{ path: flux, postBuild: { substitute: { ${n}: "1.2" }, substituteFrom: [{ kind: ConfigMap, name: ${n} }] } }`,
    ),
    'flux/pod.yaml': object('v1', 'Pod', `{ containers: [{ name: web, image: "acme/web:\${${n}}" }] }`),
    'pod.yaml': object('v1', 'Pod', pod),
    'object.yaml': object(`${n}/v1`, n, `{ version: "1.2", image: "${n}:1.2", source: { chart: ${n} } }`),
    'crossplane.yaml': object(
      'rds.aws.upbound.io/v1beta1',
      'Instance',
      `{ forProvider: { engine: ${n}, engineVersion: "16.1" } }`,
    ),
    'kind.yaml': object(
      'rds.aws.upbound.io/v1beta1',
      n,
      `{ forProvider: { engine: ${n}, engineVersion: "16.1" } }`,
    ),
    'chart-object.yaml': object(
      'helm.cattle.io/v1',
      'HelmChart',
      `{ chart: ${n}, repo: "https://charts.example.org", version: 1.2.3 }`,
    ),
    'argocd.yaml': object(
      'argoproj.io/v1alpha1',
      'Application',
      `{ source: { chart: ${n}, repoURL: "https://charts.example.org", targetRevision: 1.2.3, helm: { values: "image: {repository: ${n}, tag: 1.1.0}" } } }`,
    ),
    'flux.yaml': [
      object(
        'helm.toolkit.fluxcd.io/v2',
        'HelmRelease',
        `{ chart: { spec: { chart: ${n}, version: 1.2.3, sourceRef: { kind: HelmRepository, name: ${n} } } } }`,
      ),
      object('source.toolkit.fluxcd.io/v1', 'HelmRepository', '{ url: "https://charts.example.org" }'),
      object('source.toolkit.fluxcd.io/v1', n, '{ url: "https://charts.example.org" }'),
    ].join('---\n'),
    'kustomize/kustomization.yaml': `kind: Kustomization\nnamespace: ${n}\nresources: [a.yaml]\nimages: [{ name: ${n}, newName: ${n}/${n}, newTag: "1.3" }]\nhelmCharts: [{ name: ${n}, repo: "https://charts.example.org", version: 1.2.3 }]\n`,
    'kustomize/a.yaml': object('v1', 'Pod', pod),
    'chart/Chart.yaml': `apiVersion: v2\nname: ${n}\nversion: 1.0.0\nappVersion: "1.2"\ndependencies: [{ name: ${n}, repository: "https://charts.example.org", version: 1.2.3, alias: ${n}, condition: "${n}.enabled", tags: [${n}] }]\n`,
    'chart/values.yaml': `${n}: { image: { repository: ${n}, tag: "1.2" } }\nimage: { ${n}: 1, repository: "${n}/${n}", tag: "" }\nother: { image: { repository: acme/other, tag: "1.2.3" } }\n`,
    'helmfile.yaml': `repositories: [{ name: ${n}, url: "https://charts.example.org" }]\nreleases: [{ name: ${n}, chart: ${n}/web, version: 1.2.3 }, { name: y, chart: other/web, version: 1.2.3 }]\n`,
    'environments/helmfile.yaml': `environments: { ${n}: { values: [{ ${n}: { version: 1.2.3 } }, b.yaml] } }\n---\nrepositories: [{ name: ${n}, url: "https://charts.example.org" }]\nreleases: [{ name: ${n}, chart: ${n}/web, version: "{{ .Values.${n}.version }}" }, { name: z, chart: ${n}/z, version: '{{ .Values.${n} | get "${n}" "1.2.4" }}' }]\n`,
    'environments/b.yaml': `${n}: { ${n}: 1.2.5 }\n`,
    'apps/Chart.yaml': `apiVersion: v2\nname: apps\nversion: 1.0.0\n`,
    'apps/values.yaml': `${n}: { version: 1.2.3, enabled: true, ${n}: { repoURL: "https://charts.example.org", chart: ${n}, targetRevision: 1.2.3 } }\n`,
    'apps/templates/app.yaml': `kind: Application\nspec:\n  source:\n    repoURL: https://charts.example.org\n    chart: ${n}\n    targetRevision: {{ .Values.${n}.version }}\n`,
    '.devcontainer/devcontainer.json': `{"image":"${n}:1.2","features":{"ghcr.io/devcontainers/features/${n}:1":{"version":"1.2.3","${n}":"1"},"ghcr.io/${n}/${n}:1.2":{"version":"1.2"}}}`,
    'renovate.json': `{"customManagers":[{"customType":"regex","managerFilePatterns":["/^own\\\\.txt$/"],"matchStrings":["(?<depName>\\\\S+)=(?<currentValue>\\\\S+)"],"datasourceTemplate":"${n}"}]}`,
    [`clusters/${n}/${n}/pod.yaml`]: object('v1', 'Pod', pod),
    '.github/CODEOWNERS': `* @${n}\n`,
  };
}

/** Kinds that are read from clusters and hosts, or only with the patterns of a job. */
const notInFiles = new Set(['helm_release', 'docker', 'custom']);

describe.each(names)('the name %s', (name, other) => {
  /** Replaces the similar name with the name, in any case, and without underscores too. */
  const renamed = (text: string) => {
    const [from, to] = [other.replaceAll('_', ''), name.replaceAll('_', '')];
    return text
      .replaceAll(from, to)
      .replaceAll(from.toLowerCase(), to.toLowerCase())
      .replaceAll(from.toUpperCase(), to.toUpperCase());
  };
  const textOf = (value: unknown) =>
    JSON.stringify(value, (_, inner) => (inner instanceof Map ? [...inner] : inner));

  test('yields the same items as any other name in every kind of file', () => {
    const labelRules = [
      { pattern: `clusters/(?P<cluster>[^/]+)/(?P<${name.replaceAll('_', 'x')}>[^/]+)`, labels: {} },
    ];
    const linesOf = (files: Record<string, string>) => {
      const { items, problems } = discoverFiles(files, { labelRules });
      return [...items, ...problems].map(textOf).toSorted();
    };
    for (const [path, text] of Object.entries(filesWith(other)))
      expect(linesOf({ [renamed(path)]: renamed(text) }), path).toEqual(
        linesOf({ [path]: text })
          .map(renamed)
          .toSorted(),
      );
    const all = linesOf(filesWith(other));
    expect(linesOf(filesWith(name))).toEqual(all.map(renamed).toSorted());
    const found = new Set(all.map((line) => (JSON.parse(line) as { extractor?: string }).extractor));
    const kinds = Object.keys(extractorLabels).filter((kind) => !notInFiles.has(kind));
    expect(kinds.filter((kind) => !found.has(kind))).toEqual([]);
  });

  test.each<[string, (n: string) => unknown]>([
    ...Object.values(sourceTypes).map((type): [string, (n: string) => unknown] => [
      `an artifact of ${type.label}`,
      (n) =>
        [n, `${n}/${n}`, `https://${n}/${n}`, `${n}.example.org/${n}/${n}`].map((text) => {
          const artifact = type.normalizeArtifactName(text);
          return [artifact, artifact.ok && type.purlOf(artifact.artifactName)];
        }),
    ]),
    [
      'pasted text',
      (n) => [n, `${n}/${n}`, `docker pull ${n}`].map((text) => [guessSource(text), possibleSources(text)]),
    ],
    ['the host of a page', (n) => readImagePage(`https://${n}/${n}/${n}`)],
    [
      'a package URL',
      (n) => normalizePurls([`pkg:${n}/${n}@1.2?${n}=${n}`, `pkg:oci/${n}?repository_url=${n}`]),
    ],
    ['the prefix of an alias', (n) => [`${n}:443/`, `${n}/`, `a.example/${n}`].map(normalizePrefix)],
    [
      'the upstream of an alias',
      (n) => {
        const aliases = [{ prefix: 'h.example/', upstream_prefix: `${n}:443/` }];
        return (['oci_registry', 'git_tags', 'helm_repository'] as const).map((source_type) =>
          upstreamOf({ source_type, artifact_name: 'h.example/x/y' }, aliases),
        );
      },
    ],
    ['a schedule', (n) => [parseCron(n), parseCron(`@${n}`)]],
    [
      'a section of a configuration',
      (n) =>
        createDocumentCheck(schema)(
          JSON.parse(`{"${n}": [{"name": "a"}], "rules": [{"${n}": 1, "rule_type": "${n}"}]}`),
        ),
    ],
    [
      'a label that is set on an item',
      (n) => mergeDerivedLabels({}, { last: {}, unset: {}, formerSet: {}, set: { [n]: 'a' } }),
    ],
  ])('yields the same result as any other name as %s', (_, resultOf) => {
    expect(textOf(resultOf(name))).toBe(renamed(textOf(resultOf(other))));
  });
});

test('no lookup table in the code is read with [] and a name that can come from data', () => {
  const files = [...filesOf('src', /\.ts$/), ...filesOf('web/src', /\.tsx?$/)].filter(
    // The entry point checks names with `Object.hasOwn` itself, because it loads no other domain code.
    (file) => !file.startsWith('src/generated/') && file !== 'src/main.ts',
  );
  const reads = files.flatMap((file) => {
    const tables = codeLinesMatching(
      [file],
      /^(?:export )?const \w+: Readonly<Record<string,(?!.*= [^{])/,
    ).map((line) => /const (\w+):/.exec(line)![1]!);
    return tables.flatMap((table) =>
      codeLinesMatching([file], new RegExp(String.raw`\b${table}!?(?:\?\.)?\[[^'\]]|\bin ${table}\b`)),
    );
  });
  expect(reads).toEqual([]);
});

test('every POST operation responds to inherited names as its contract states', async () => {
  const inbox = await startContractInbox();
  const server = await startTestServer(await loginProviderEnvironment());
  const owner = await server.createOrganization();
  const world = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db: server.db });
  const violations: string[] = [];
  let sent = 0;
  for (const operation of contractOperations.filter(({ method }) => method === 'POST')) {
    const { body, ...call }: Call = await validCalls[operation.id](world);
    for (const [index, withName] of placesOf(body).entries())
      for (const name of new Set(['constructor', names[index % names.length]![0]])) {
        const answer = await callOperation(world, operation.id, { ...call, body: withName(name) });
        const violation = answer.status === 500 ? answer.text : findResponseViolation(operation, answer);
        sent += 1;
        if (violation !== null)
          violations.push(`${operation.id} ${JSON.stringify(withName(name))}: ${violation}`);
      }
  }
  await inbox.close();
  expect(violations).toEqual([]);
  expect(sent).toBeGreaterThan(300);
});

/**
 * Returns a function for each string in a body, and for each map of strings, that replaces it with a name.
 */
function placesOf(value: unknown): ((name: string) => unknown)[] {
  if (typeof value === 'string') return [(name) => name];
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    placesOf(member).map(
      (withName) =>
        (name: string): unknown =>
          Array.isArray(value)
            ? value.with(Number(key), withName(name))
            : { ...value, [key]: withName(name) },
    ),
  );
  const isMap = !Array.isArray(value) && Object.values(value).every((member) => typeof member === 'string');
  return isMap ? [...inner, (name) => ({ ...value, [name]: 'a' })] : inner;
}
