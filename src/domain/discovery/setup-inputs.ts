import { ownValue } from '../json/own-value.ts';

/**
 * Inputs of actions that don't follow the naming rule in `setupInputs`, with the tool's name in the catalog
 * or its repository.
 */
const inputsByAction: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'aquasecurity/trivy-action': { version: 'trivy' },
  'astral-sh/setup-uv': { version: 'astral-sh/uv' },
  'digitalocean/action-doctl': { version: 'doctl' },
  'docker/setup-buildx-action': { version: 'docker/buildx' },
  'erlef/setup-beam': { 'otp-version': 'erlang', 'elixir-version': 'elixir' },
  'fluxcd/flux2': { version: 'flux2' },
  'golangci/golangci-lint-action': { version: 'golangci-lint' },
  'goreleaser/goreleaser-action': { version: 'goreleaser' },
  'gruntwork-io/terragrunt-action': {
    tg_version: 'terragrunt',
    tf_version: 'terraform',
    tofu_version: 'opentofu',
  },
  'helm/chart-testing-action': { version: 'chart-testing' },
  'helm/kind-action': { version: 'kind', kubectl_version: 'kubectl' },
  'helmfile/helmfile-action': { 'helmfile-version': 'helmfile', 'helm-version': 'helm' },
  'jdx/mise-action': { version: 'jdx/mise' },
  'opentofu/setup-opentofu': { tofu_version: 'opentofu' },
  'peaceiris/actions-hugo': { 'hugo-version': 'hugo' },
  'pnpm/action-setup': { version: 'pnpm/pnpm' },
  'pulumi/actions': { 'pulumi-version': 'pulumi' },
  'sigstore/cosign-installer': { 'cosign-release': 'cosign' },
  'tailscale/github-action': { version: 'tailscale/tailscale' },
};

/** Names after `setup-` that aren't tools. */
const generalNames = /^(?:action|cli|env|environment|tools?)$/;

/**
 * Returns the tools that an action installs, by the input that sets their version. For example, the
 * `node-version` input of `actions/setup-node` sets the version of `node`.
 *
 * @param action The action as `owner/repository`.
 */
export function setupInputs(action: string): Readonly<Record<string, string>> {
  const name = action.toLowerCase();
  const known = ownValue(inputsByAction, name);
  if (known) return known;
  const tool = /^[^/]+\/setup-([a-z0-9-]+?)(?:-action)?$/.exec(name)?.[1];
  if (tool === undefined || generalNames.test(tool)) return {};
  return { [`${tool}-version`]: tool, [`${tool}_version`]: tool, version: tool };
}

/**
 * Returns the tool whose version the `version` input of an action sets. The tool is derived from the name of
 * the action: `scanner` for `acme/scanner-action` and `acme/actions-scanner`. Returns null if the name
 * consists of general words.
 *
 * @param action The action as `owner/repository`.
 */
export function toolOfAction(action: string): string | null {
  const [, name = ''] = action.toLowerCase().split('/');
  const words = name.split(/[-_]/).filter((word) => word !== '' && !generalWords.has(word));
  return words.length === 0 ? null : words.join('-');
}

const generalWords: ReadonlySet<string> = new Set([
  'action',
  'actions',
  'ci',
  'cli',
  'deploy',
  'env',
  'environment',
  'gh',
  'gha',
  'github',
  'install',
  'installer',
  'release',
  'releases',
  'setup',
  'tool',
  'tools',
  'version',
]);
