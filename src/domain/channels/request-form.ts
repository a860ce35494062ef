export type RequestMethod = 'POST' | 'PUT';
export type ClosingMethod = RequestMethod | 'PATCH' | 'DELETE';
export type BodyFormat = 'json' | 'form';

/** Form of the requests of a generic webhook channel. */
export interface RequestForm {
  request_method: RequestMethod;
  body_format: BodyFormat;
  /** Method of requests to the channel's closing path. */
  closing_method: ClosingMethod;
}
