import { RunError } from '../domain/runs/run-error.ts';
import type { SourceCredential } from '../sources/source-credential.ts';
import type { CredentialProgram } from './credential-program.ts';

/** A credential of this agent's configuration, for sources and repositories. */
export type AgentCredential = SourceCredential & OrganizationScoped;

/** A GitHub App, whose key is exchanged for tokens that expire after an hour. */
export type AppCredential = OrganizationScoped & {
  type: 'github_app';
  name: string;
  hosts: readonly string[];
  /** URL of the REST API, without a trailing slash. */
  apiUrl: string;
  /** Number or client ID of the app. */
  appId: string;
  installationId: string;
  /** Private key in PEM format. */
  privateKey: string;
};

/** A credential for registries, Helm repositories, or Git over HTTPS that a Docker credential helper issues. */
export type HelperCredential = OrganizationScoped & {
  type: 'credential_helper';
  /** Type of the credential in the configuration. */
  as: 'registry_basic' | 'http_basic' | 'https_pat';
  name: string;
  hosts: readonly string[];
  program: CredentialProgram;
};

/** Access to the API of a Kubernetes cluster. */
export type ClusterCredential = OrganizationScoped & {
  type: 'kubernetes';
  name: string;
  /** HTTPS URL, usually without a path. */
  apiServer: string;
  /** File with the certificate authorities of the API server. Null if the system's authorities apply. */
  caFile: string | null;
  /** File with the token. Every scan reads it, because service account tokens are rotated. Null if `exec` is set. */
  tokenFile: string | null;
  /** Plugin that issues the token, as in a kubeconfig. Null if the token is in a file. */
  exec: (CredentialProgram & { apiVersion: string; providesClusterInfo: boolean }) | null;
  /** True if this is the cluster that the agent runs in. Its API server is never reached through a proxy. */
  isInCluster: boolean;
};

/** Access to the socket of Docker or Podman, which is equivalent to root access to the host. */
export type HostCredential = OrganizationScoped & {
  type: 'docker';
  name: string;
  /** Absolute path of the Unix socket. */
  socket: string;
};

export type AnyCredential =
  | AgentCredential
  | AppCredential
  | HelperCredential
  | ClusterCredential
  | HostCredential;

interface OrganizationScoped {
  /**
   * IDs of the organizations that can use the credential. Null if all organizations of the agent's key can.
   * Only the embedded agent serves several.
   */
  organizations: readonly number[] | null;
}

export interface TaskWithCredential {
  organization_id: number;
  /** Specification of the task. The field that contains the address depends on the kind of the task. */
  spec: {
    credential_name: string | null;
    artifact_name?: string;
    repository_url?: string | null;
    url?: string | null;
    group?: { url: string };
  };
}

/**
 * Returns the credential that a task specifies, or null if it specifies none. The server sends a task only to
 * an agent with that credential. The agent checks again that the organization can use the credential, because
 * only the agent has the secret.
 */
export function findCredential(
  credentials: readonly AnyCredential[],
  task: TaskWithCredential,
): AgentCredential | AppCredential | HelperCredential | null {
  const found = findAny(credentials, task);
  if (found?.type !== 'kubernetes' && found?.type !== 'docker') return found;
  throw new RunError(
    'credential_not_for_host',
    found.type === 'kubernetes'
      ? `The credential "${found.name}" is for a Kubernetes cluster and can't be used here.`
      : `"${found.name}" is a container host and can't be used as a credential here.`,
  );
}

/** Returns the credential of a cluster scan, which requires one. */
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

/** Returns the credential of a container host scan, which requires one. */
export function findHostCredential(
  credentials: readonly AnyCredential[],
  task: TaskWithCredential,
): HostCredential {
  const found = findAny(credentials, task);
  if (found?.type === 'docker') return found;
  throw new RunError(
    'credential_missing',
    found === null
      ? 'The job names no host in its credential_name.'
      : `"${found.name}" isn't in the hosts of the agent.`,
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
