import { RunError } from '../domain/runs/run-error.ts';
import type { SourceCredential } from '../sources/source-credential.ts';

/** A credential of this agent's configuration. */
export type AgentCredential = SourceCredential & {
  /** Ids of the organizations that it serves; null: those of the agent's key. Only the embedded agent has many. */
  organizations: readonly number[] | null;
};

/**
 * The credential that a task names; null when it names none. The service sends a task only to an agent that has its
 * credential; that it serves this organization is looked at here once more, because here is where the secret is.
 */
export function findCredential(
  credentials: readonly AgentCredential[],
  task: { organization_id: number; spec: { credential_name: string | null } },
): AgentCredential | null {
  const name = task.spec.credential_name;
  if (name === null) return null;
  const found = credentials.find((credential) => credential.name === name);
  if (!found || (found.organizations && !found.organizations.includes(task.organization_id))) {
    throw new RunError(
      'credential_missing',
      `The agent has no credential named "${name}" for this organization.`,
    );
  }
  return found;
}
