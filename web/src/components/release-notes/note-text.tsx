import { Fragment } from 'react';
import {
  type NoteBlock,
  type NoteInline,
  readSafeMarkdown,
  removeBidiControls,
} from '../../../../src/domain/notes/safe-markdown.ts';
import classes from './release-notes.module.css';

/**
 * Release notes as written upstream, limited to a fixed set of elements. Notes that are too complex are shown
 * as plain text.
 */
export default function NoteText({ notes }: { notes: string }) {
  const blocks = readSafeMarkdown(notes);
  if (blocks === null) return <pre className={classes.plain}>{removeBidiControls(notes)}</pre>;
  return (
    <div className={classes.notes}>
      <Blocks blocks={blocks} />
    </div>
  );
}

function Blocks({ blocks }: { blocks: readonly NoteBlock[] }) {
  return keyed(blocks, (block) => <Block block={block} />);
}

function Block({ block }: { block: NoteBlock }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${block.level}` as const;
      return (
        <Heading>
          <Inlines inlines={block.children} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Inlines inlines={block.children} />
        </p>
      );
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.children} />
        </blockquote>
      );
    case 'list': {
      const items = keyed(block.items, (item) => (
        <li>
          <Blocks blocks={item} />
        </li>
      ));
      return block.isOrdered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <div className={classes.table}>
          <table>
            <thead>
              <tr>
                {keyed(block.header, (cell) => (
                  <th>
                    <Inlines inlines={cell} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {keyed(block.rows, (row) => (
                <tr>
                  {keyed(row, (cell) => (
                    <td>
                      <Inlines inlines={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr />;
  }
}

function Inlines({ inlines }: { inlines: readonly NoteInline[] }) {
  return keyed(inlines, (inline) => <Inline inline={inline} />);
}

function Inline({ inline }: { inline: NoteInline }) {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code>{inline.text}</code>;
    case 'strong':
      return (
        <strong>
          <Inlines inlines={inline.children} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Inlines inlines={inline.children} />
        </em>
      );
    case 'deleted':
      return (
        <del>
          <Inlines inlines={inline.children} />
        </del>
      );
    case 'link':
      return (
        <a href={inline.url} target="_blank" rel="noopener noreferrer">
          <Inlines inlines={inline.children} />
        </a>
      );
    case 'break':
      return <br />;
  }
}

/** Renders items with their index as the key. The order of items in release notes never changes. */
function keyed<Item>(items: readonly Item[], render: (item: Item) => React.ReactNode): React.ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: see above
  return items.map((item, index) => <Fragment key={index}>{render(item)}</Fragment>);
}
