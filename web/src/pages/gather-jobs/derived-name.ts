/** Returns the last part of an artifact name as a display name. */
export function nameOf(artifactName: string): string {
  return (
    artifactName
      .split(/[/:]/)
      .findLast((part) => part !== '')
      ?.replace(/\.git$/, '') ?? ''
  );
}

/** Returns the name that a discovery job gives to a source: its artifact name without a scheme. */
function fullNameOf(artifactName: string): string {
  return artifactName.replace(/^[a-z+]+:\/\//, '').replace(/\.git$/, '');
}

/**
 * Returns the name of a source after a change of its artifact. A name that was derived from the previous artifact would be
 * misleading, so it's derived from the new one. A name that someone chose stays, and so does an empty one.
 */
export function nameAfter(name: string, artifactBefore: string, artifactAfter: string): string {
  const derive = [nameOf, fullNameOf].find((each) => name !== '' && each(artifactBefore) === name);
  return derive?.(artifactAfter) ?? name;
}
