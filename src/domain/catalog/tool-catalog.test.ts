import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { compileCheapPattern } from '../patterns/compile-pattern.ts';
import { sourceTypes } from '../source-types/source-types.ts';
import { catalog, knownSources } from './catalog.ts';
import { toolCatalog } from './tool-catalog.ts';

const toolName = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

describe('the tools of the catalog', () => {
  test.each(toolCatalog.map((tool) => [tool.name, tool] as const))(
    '%s has a valid source and version pattern',
    (_, tool) => {
      const { source_type, artifact_name: artifactName, version_pattern } = tool;
      expect(sourceTypes[source_type].normalizeArtifactName(artifactName)).toEqual({
        ok: true,
        artifactName,
      });
      expect(compileCheapPattern(version_pattern!)).toMatchObject({ ok: true });
    },
  );

  test('the names and sources of tools are unique across the catalog', () => {
    const names = knownSources.map(({ name }) => toolName(name));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    const repositories = catalog.map(({ artifact_name }) => artifact_name.toLowerCase());
    const twice = toolCatalog.filter(({ artifact_name }) =>
      repositories.includes(artifact_name.toLowerCase()),
    );
    expect(twice).toEqual([]);
  });

  test.each([
    ['kustomize', ['kustomize/v5.4.2'], ['kyaml/v0.17.1', 'api/v0.17.2']],
    ['jq', ['jq-1.7.1'], ['jq-latest']],
    ['erlang', ['OTP-26.2.1'], ['patch-base-26']],
    ['azure-cli', ['azure-cli-2.61.0'], ['azure-cli-vm-2.0.1']],
    ['maven', ['maven-3.9.6'], ['maven-build']],
    ['kubeseal', ['v0.27.0'], ['helm-v2.16.0']],
  ])('the version pattern matches only tags of the tool: %s', (name, kept, left) => {
    const { version_pattern } = toolCatalog.find((tool) => tool.name === name)!;
    const compiled = compileCheapPattern(version_pattern!);
    if (!compiled.ok) throw new Error(name);
    const matches = (tags: string[]) => tags.filter((tag) => compiled.pattern.test(tag));
    expect([matches(kept), matches(left)]).toEqual([kept, []]);
  });

  test('tools are found by their asdf and mise names', () => {
    const { items } = discoverFiles(
      {
        '.tool-versions':
          'sops 3.9.0\nhelmfile 0.169.1\ngithub-cli 2.32.1\nistioctl 1.22.0\nawscli 2.8.6\nargocd 2.5.4\n',
        'mise.toml': '[tools]\ntofu = "1.8.0"\naws-cli = "2.17.0"\n',
      },
      { known: knownSources },
    );
    expect(items.map(({ proposal }) => proposal?.artifact_name)).toEqual([
      'github.com/getsops/sops',
      'github.com/helmfile/helmfile',
      'github.com/cli/cli',
      'github.com/istio/istio',
      'https://github.com/aws/aws-cli.git',
      'github.com/argoproj/argo-cd',
      'github.com/opentofu/opentofu',
      'https://github.com/aws/aws-cli.git',
    ]);
  });
});
