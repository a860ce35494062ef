import { RunError } from '../domain/runs/run-error.ts';
import {
  type AgentCredential,
  type AnyCredential,
  findCredential,
  type TaskWithCredential,
} from './agent-credential.ts';
import type { AgentTask } from './agent-task.ts';
import type { AppTokens } from './github-app-tokens.ts';

/** The credential of a task, ready to be sent; null when the task names none. @throws RunError */
export type OpenCredential = (task: TaskWithCredential) => Promise<AgentCredential | null>;

export function createCredentialOpener(credentials: readonly AnyCredential[], appTokens: AppTokens) {
  const openCredential: OpenCredential = async (task) => {
    const found = findCredential(credentials, task);
    if (found?.type !== 'github_app') return found;
    const { name, hosts, organizations } = found;
    const { token } = await appTokens.get(found);
    // The user name that Git needs with such a token.
    return { type: 'github_token', name, hosts, organizations, token, username: 'x-access-token' };
  };

  /** A token that a host rejected is replaced in a later run. */
  function runFailed({ spec }: AgentTask, error: unknown): void {
    if (!(error instanceof RunError) || error.code !== 'unauthorized') return;
    const name = 'credential_name' in spec ? spec.credential_name : null;
    const found = credentials.find((each) => each.name === name);
    if (found?.type === 'github_app') appTokens.reject(found);
  }

  return { openCredential, runFailed };
}
