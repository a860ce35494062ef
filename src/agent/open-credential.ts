import { parseRepositoryUrl } from '../domain/artifacts/repository-url.ts';
import { RunError } from '../domain/runs/run-error.ts';
import {
  type AgentCredential,
  type AnyCredential,
  findCredential,
  type TaskWithCredential,
} from './agent-credential.ts';
import type { AgentTask } from './agent-task.ts';
import type { AppTokens } from './github-app-tokens.ts';
import type { ProgramCredentials } from './program-credentials.ts';

/**
 * Returns the credential of a task in a form that can be sent, or null if the task has no credential.
 * @throws RunError
 */
export type OpenCredential = (task: TaskWithCredential) => Promise<AgentCredential | null>;

export interface CredentialIssuers {
  appTokens: AppTokens;
  programs: ProgramCredentials;
}

export function createCredentialOpener(
  credentials: readonly AnyCredential[],
  { appTokens, programs }: CredentialIssuers,
) {
  const openCredential: OpenCredential = async (task) => {
    const found = findCredential(credentials, task);
    if (found?.type === 'credential_helper') {
      const { organizations } = found;
      return { ...(await programs.open(found, hostOf(task))), organizations };
    }
    if (found?.type !== 'github_app') return found;
    const { name, hosts, organizations } = found;
    const { token } = await appTokens.get(found);
    // Git requires this username with an installation token.
    return { type: 'github_token', name, hosts, organizations, token, username: 'x-access-token' };
  };

  /** Discards a token that a host rejected. A later run requests a new one. */
  function runFailed({ spec }: AgentTask, error: unknown): void {
    if (!(error instanceof RunError) || error.code !== 'unauthorized') return;
    const name = 'credential_name' in spec ? spec.credential_name : null;
    const found = credentials.find((each) => each.name === name);
    if (found?.type === 'github_app') appTokens.reject(found);
  }

  return { openCredential, runFailed };
}

/**
 * Returns the host that a task reads, with its port if it has one, because credential helpers return a password for a
 * host.
 */
function hostOf({ spec }: TaskWithCredential): string {
  const address = spec.artifact_name ?? spec.repository_url ?? spec.url ?? spec.group?.url ?? '';
  const repository = parseRepositoryUrl(address);
  if (repository.ok) return repository.host;
  return address.replace(/^[a-z]+:\/\//u, '').split('/')[0] ?? '';
}
