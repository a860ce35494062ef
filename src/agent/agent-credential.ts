import { RunError } from '../domain/runs/run-error.ts';
import type { SourceCredential } from '../sources/source-credential.ts';

/** A credential of this agent's configuration, for sources and repositories. */
export type AgentCredential = SourceCredential & Served;

/** A GitHub App, whose key is exchanged for tokens that last an hour. */
export type AppCredential = Served & {
  type: 'github_app';
  name: string;
  hosts: readonly string[];
  /** URL of the REST API, without a slash at its end. */
  apiUrl: string;
  /** Its number or client ID. */
  appId: string;
  installationId: string;
  /** PEM. */
  privateKey: string;
};

/** Access to the API of a Kubernetes cluster. */
export type ClusterCredential = Served & {
  type: 'kubernetes';
  name: string;
  /** HTTPS URL, without a path as a rule. */
  apiServer: string;
  /** Certificate authorities of the API server. Null: those of the system. */
  caFile: string | null;
  /** Read again for every scan, because service account tokens are rotated. */
  tokenFile: string;
  /** The API server of the cluster that the agent runs in, which is never reached through a proxy. */
  isInCluster: boolean;
};

/** Access to the socket of Docker or Podman, which is root on its host. */
export type HostCredential = Served & {
  type: 'docker';
  name: string;
  /** The absolute path of the Unix socket. */
  socket: string;
};

export type AnyCredential = AgentCredential | AppCredential | ClusterCredential | HostCredential;

interface Served {
  /** Ids of the organizations that it serves; null: those of the agent's key. Only the embedded agent has many. */
  organizations: readonly number[] | null;
}

export interface TaskWithCredential {
  organization_id: number;
  spec: { credential_name: string | null };
}

/**
 * The credential that a task names; null if it names none. The server sends a task only to an agent that has its
 * credential. Whether the organization may use it is checked again here, because only the agent has the secret.
 */
export function findCredential(
  credentials: readonly AnyCredential[],
  task: TaskWithCredential,
): AgentCredential | AppCredential | null {
  const found = findAny(credentials, task);
  if (found?.type !== 'kubernetes' && found?.type !== 'docker') return found;
  const what = found.type === 'kubernetes' ? 'a Kubernetes cluster' : 'a container host';
  throw new RunError(
    'credential_not_for_host',
    `The credential "${found.name}" is for ${what} and can't be used here.`,
  );
}

/** A scan of a cluster always has a credential. */
export function findClusterCredential(
  credentials: readonly AnyCredential[],
  task: TaskWithCredential,
): ClusterCredential {
  const found = findAny(credentials, task);
  if (found?.type === 'kubernetes') return found;
  throw new RunError(
    'credential_missing',
    found === null
      ? 'The job has no credential for the cluster.'
      : `The credential "${found.name}" isn't a kubernetes credential.`,
  );
}

/** A scan of a container host always has a credential. */
export function findHostCredential(
  credentials: readonly AnyCredential[],
  task: TaskWithCredential,
): HostCredential {
  const found = findAny(credentials, task);
  if (found?.type === 'docker') return found;
  throw new RunError(
    'credential_missing',
    found === null
      ? 'The job has no credential for the host.'
      : `The credential "${found.name}" isn't a docker credential.`,
  );
}

function findAny(credentials: readonly AnyCredential[], task: TaskWithCredential): AnyCredential | null {
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
