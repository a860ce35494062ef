import type { OsvPackage } from './osv-package.ts';

const javaNames: ReadonlySet<string> = new Set(['java', 'java-min', 'jdk', 'jre']);

/** True if the package is a Java runtime or JDK, whose versions have several notations. */
export function isJavaPackage({ ecosystem, name }: OsvPackage): boolean {
  return ecosystem === 'Bitnami' && javaNames.has(name);
}

/**
 * Returns a version of Java 8 or earlier in the notation that vulnerability databases use: `8u472`, `1.8.0_472`,
 * `1.8.0.472`, and the `8.472.08.1` of Amazon Corretto all become 8.0.472. Later versions have only one notation and
 * are returned unchanged.
 */
export function toJavaNotation(version: string): string {
  const text = version.trim().replace(/^(?:(?:open)?j(?:dk|re)[-_]?|v)/i, '');
  for (const pattern of notations) {
    const [, major, update = '0'] = pattern.exec(text) ?? [];
    if (major !== undefined) return `${major}.0.${update}`;
  }
  return version;
}

const notations: readonly RegExp[] = [
  /^([5-8])u([0-9]+)(?![0-9])/i,
  /^1\.([5-8])(?:\.0(?:[._u]([0-9]+))?)?(?![0-9.])/i,
  /^1\.([5-8])\.0[._]([0-9]+)/,
  /^([5-8])\.([0-9]{3})\.[0-9]{2}\.[0-9]+/,
];
