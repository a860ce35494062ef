export type RequestMethod = 'POST' | 'PUT';
export type ClosingMethod = RequestMethod | 'PATCH' | 'DELETE';
export type BodyFormat = 'json' | 'form';

/** Form of the requests of a generic webhook channel. */
export interface RequestForm {
  request_method: RequestMethod;
  body_format: BodyFormat;
  /** Path on the host of the channel's URL that closes the item of an alert. `null` if no other request closes it. */
  closing_path: string | null;
  closing_method: ClosingMethod;
}
