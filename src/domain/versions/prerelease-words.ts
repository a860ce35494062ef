/**
 * Words by which projects say that a release is not meant for everyone yet. They count as whole words: `rc` is found
 * in `-rc.1`, `rc1` and `-RC1-alpine`, not in `-arch` or `-source`.
 */
const prereleaseWords: ReadonlySet<string> = new Set(
  [
    // Stages before a release.
    'prealpha alpha beta rc pre prerelease preview milestone eap next',
    // Builds of what is being worked on.
    'dev devel develop development snapshot nightly daily weekly canary insider insiders',
    'unstable experimental exp wip test',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Too short to be looked for anywhere: `ea` is found in commit ids, `m` in names. They have to be all that stands
 * between two separators, with their number: `-ea`, `-M3`, `.CR1`, `-pr.12`.
 */
const shortPrereleaseWord = /^(?:ea[0-9]*|m[0-9]+[a-z]?|cr[0-9]+|pr[0-9]*|ci[0-9]*)$/;

/** Python's short forms, which stand right behind the numbers: `3.8.0b1`. `2.79b` and `25.0.4-b508` are no such thing. */
const attachedShortForm = /^[abc][0-9]+$/;

/**
 * True when a part of a suffix, such as `rc.1`, `beta2` or `alpine3.18`, has a pre-release word.
 * `isAttached`: it stands right behind the numbers, without a separator.
 */
export function hasPrereleaseWord(part: string, isAttached: boolean): boolean {
  const words = part.match(/[A-Za-z0-9]+/g) ?? [];
  return words.some((word, index) => {
    const token = word.toLowerCase();
    if (shortPrereleaseWord.test(token)) return true;
    if (index === 0 && isAttached && attachedShortForm.test(token)) return true;
    return (token.match(/[a-z]+/g) ?? []).some((letters) => prereleaseWords.has(letters));
  });
}
