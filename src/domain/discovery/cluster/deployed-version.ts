/** A version that a component reports, as its project writes it. */
export interface ReportedVersion {
  /** As the catalog names the software. */
  tool: string;
  version: string;
  /** How it was reported, if that differs. */
  note: string | null;
}

/**
 * `v1.31.4-eks-7f9249a` is Kubernetes v1.31.4: what follows the numbers is the provider's. K3s has releases of its own,
 * such as `v1.31.4+k3s1`.
 */
export function readKubernetesVersion(text: string): ReportedVersion {
  if (/\+k3s\d+$/.test(text)) return { tool: 'k3s', version: text, note: null };
  return plainVersion('kubernetes', text, text);
}

/** `containerd://1.7.24` */
export function readRuntimeVersion(text: string): ReportedVersion | null {
  const match = /^([a-z][a-z-]{0,50}):\/\/(.+)$/.exec(text);
  if (!match) return null;
  const [, name = '', version = ''] = match;
  return plainVersion(name === 'docker' ? 'docker-engine' : name, version, text);
}

/** `Ubuntu 24.04.1 LTS`, `Talos (v1.9.1)`. Null without a version. */
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

/** Compares by numbers, then as texts. For the versions of one component. */
export function compareReported(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  // A stage before the release comes before it.
  const stages = Number(/-(?:alpha|beta|rc)/.test(b)) - Number(/-(?:alpha|beta|rc)/.test(a));
  return stages || (a < b ? -1 : a > b ? 1 : 0);
}

function numbersOf(version: string): number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').slice(0, 6).map(Number);
}
