import type { ArtifactNameResult } from '../artifacts/artifact-result.ts';
import type { VersionSchemeId } from '../versions/version-scheme.ts';
import type { PastedText } from './pasted-text.ts';

/**
 * A source type, with the properties that the server, the agent, the CLI, and the web app need. The code that fetches
 * releases is in `src/sources/`.
 */
export interface SourceType {
  readonly label: string;
  readonly about: string;
  /** Format of an artifact name. */
  readonly shape: string;
  readonly example: string;
  /** Version scheme of jobs without a configured scheme. */
  readonly defaultVersionScheme: VersionSchemeId;
  /** True if releases are image tags, which can move and can name a platform. */
  readonly isImage: boolean;
  /** True if an agent needs Git to read the source. */
  readonly needsGit: boolean;
  /** Options of the source type, in the order in which the form shows them. */
  readonly options: readonly SourceOption[];
  /**
   * Converts pasted text to the artifact name that is stored: without scheme (except for URLs), trailing
   * slash, and spaces, but with the port. Rejects usernames and passwords. This function is pure, so it
   * doesn't check if the artifact exists. The first run does.
   */
  normalizeArtifactName(text: string): ArtifactNameResult;
  /**
   * Returns how strongly pasted text indicates this type: by a form that only this type has (`form`: a
   * command, a scheme, or a file), by a known host (`host`), or by an ending that other types can also have
   * (`ending`). `null` if nothing indicates this type.
   */
  recognize(pasted: PastedText): Evidence | null;
  /** Returns the package URL of an artifact, or `null` if it can't have one. */
  purlOf(artifactName: string): string | null;
}

/** Evidence for a source type, from strong to weak. */
export type Evidence = 'form' | 'host' | 'ending';

/** Source options, with the field names of the API. */
export interface SourceOptions {
  version_field?: 'version' | 'app_version';
  artifact_type?: 'image' | 'chart';
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
    /** The empty value of a choice selects the default. */
    | { readonly kind: 'choice'; readonly choices: readonly (readonly [value: string, label: string])[] };
}
