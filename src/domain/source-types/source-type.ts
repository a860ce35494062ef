import type { ArtifactNameResult } from '../artifacts/artifact-result.ts';
import type { PastedText } from './pasted-text.ts';

/**
 * The interface of source types: what the server, the agent, the CLI, and the page need to know of a kind of source. How
 * its releases are read is in `src/sources/`.
 */
export interface SourceType {
  readonly label: string;
  readonly about: string;
  /** How an artifact is written. */
  readonly shape: string;
  readonly example: string;
  /** The version scheme of jobs that don't specify one. */
  readonly defaultVersionScheme: 'auto' | 'semver';
  /** Whether releases are tags of images, which can move and can name a platform. */
  readonly isImage: boolean;
  /** Whether an agent needs git to read it. */
  readonly needsGit: boolean;
  /** The options that it has, in the order of the form. */
  readonly options: readonly SourceOption[];
  /**
   * The one spelling under which an artifact is stored, whatever people paste: without scheme (except for URLs), trailing
   * slash, and spaces; a port is kept. Rejects user names and passwords. Pure: the first run shows whether it exists.
   */
  normalizeArtifactName(text: string): ArtifactNameResult;
  /**
   * How a pasted text shows that it is of this type: by what only this type has (`form`: a command, a scheme, a file), by
   * a known host, or by an ending that other types can have as well. `null` if it doesn't show it.
   */
  recognize(pasted: PastedText): Evidence | null;
  /** The package URL of an artifact. `null` if it can't have one. */
  purlOf(artifactName: string): string | null;
}

/** From strong to weak. */
export type Evidence = 'form' | 'host' | 'ending';

/** As in the API. */
export interface SourceOptions {
  version_field?: 'version' | 'app_version';
  version_path?: string;
  date_path?: string;
  version_regex?: string;
}

/** An option and its form field. */
export interface SourceOption {
  readonly name: keyof SourceOptions;
  readonly label: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly field:
    | { readonly kind: 'text' | 'pattern'; readonly placeholder: string }
    /** The empty value is the default. */
    | { readonly kind: 'choice'; readonly choices: readonly (readonly [value: string, label: string])[] };
}
