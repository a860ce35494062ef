/** Version that a component reports, in the format that its project uses. */
export interface ReportedVersion {
  /** Name of the software in the catalog. */
  tool: string;
  version: string;
  /** Original text, if it differs from the version. */
  note: string | null;
}

/**
 * Reads a reported Kubernetes version. `v1.31.4-eks-7f9249a` is Kubernetes v1.31.4, because the suffix is
 * from the provider. K3s has separate releases, such as `v1.31.4+k3s1`.
 */
export function readKubernetesVersion(text: string): ReportedVersion {
  if (/\+k3s\d+$/.test(text)) return { tool: 'k3s', version: text, note: null };
  return plainVersion('kubernetes', text, text);
}

/** Reads a container runtime version, such as `containerd://1.7.24`. */
export function readRuntimeVersion(text: string): ReportedVersion | null {
  const match = /^([a-z][a-z-]{0,50}):\/\/(.+)$/.exec(text);
  if (!match) return null;
  const [, name = '', version = ''] = match;
  return plainVersion(name === 'docker' ? 'docker-engine' : name, version, text);
}

/**
 * Reads an operating system version, such as `Ubuntu 24.04.1 LTS` or `Talos (v1.9.1)`. Returns `null` if the
 * text contains no version.
 */
export function readSystemVersion(text: string): ReportedVersion | null {
  const match = /^([A-Za-z][^\d(]{0,100}?)[\s(]+v?(\d[\w.+-]{0,100})/.exec(text);
  if (!match) return null;
  const [, name = '', version = ''] = match;
  return { tool: name.trim().toLowerCase().replaceAll(/\s+/g, '-'), version, note: `reported as ${text}` };
}

function plainVersion(tool: string, text: string, reported: string): ReportedVersion {
  const version = /^v?\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?/.exec(text)?.[0] ?? text;
  return { tool, version, note: version === text ? null : `reported as ${reported}` };
}

/** Compares two versions of the same component by their numbers, then as text. */
export function compareReported(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  // With equal numbers, a pre-release is lower than its release.
  const stages = Number(/-(?:alpha|beta|rc)/.test(b)) - Number(/-(?:alpha|beta|rc)/.test(a));
  return stages || (a < b ? -1 : a > b ? 1 : 0);
}

function numbersOf(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').slice(0, 6).map(Number);
}
