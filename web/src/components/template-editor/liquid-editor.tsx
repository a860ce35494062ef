import { json } from '@codemirror/lang-json';
import { liquid } from '@codemirror/lang-liquid';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { useEffect, useImperativeHandle, useRef } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { toTextRange } from './template-place.ts';

type Field = Schemas['NotificationTemplateField'];

export interface EditorHandle {
  /** Inserts text at the cursor and moves the cursor behind it. */
  insert(text: string): void;
}

export interface LiquidEditorProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
  issues: readonly Schemas['TemplateIssue'][];
  fields: readonly Field[];
  isReadOnly: boolean;
  handle?: React.Ref<EditorHandle>;
}

/** Editor for JSON with Liquid. Import it lazily, because it's larger than the rest of the page. */
export default function LiquidEditor(props: LiquidEditorProps) {
  const { value, label, issues, fields, isReadOnly, handle } = props;
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    if (!container.current) return;
    const editor = new EditorView({
      parent: container.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          basicSetup,
          liquid({ base: json(), ...completions(fields) }),
          syntaxHighlighting(highlight),
          look,
          lintGutter(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': String(isReadOnly) }),
          // Pressing Escape, then Tab leaves the editor. The editor view provides this by default.
          keymap.of([{ key: 'Tab', run: (target) => !isReadOnly && insert(target, '  ') }]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [fields, isReadOnly, label]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const text = editor.state.doc.toString();
    const diagnostics = issues.map((issue) => ({
      ...toTextRange(text, issue),
      severity: 'error' as const,
      message: issue.message,
    }));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [issues]);

  useImperativeHandle(handle, () => ({
    insert(text) {
      if (!view.current || isReadOnly) return;
      insert(view.current, text);
      view.current.focus();
    },
  }));
  return <div ref={container} />;
}

function insert(view: EditorView, text: string): boolean {
  view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true, userEvent: 'input' });
  return true;
}

/** Returns completions for variables and, after a dot, for the fields below the preceding name. */
function completions(fields: readonly Field[]) {
  const under = (path: readonly string[]) => {
    const prefix = path.map((name) => `${name}.`).join('');
    const found = new Map<string, { label: string; type: string; info?: string }>();
    for (const { name, description } of fields) {
      if (!name.startsWith(prefix)) continue;
      const [label = '', ...rest] = name.slice(prefix.length).split('.');
      if (rest.length > 0) found.set(label, { label, type: 'namespace' });
      else if (!found.has(label)) found.set(label, { label, type: 'variable', info: description });
    }
    return [...found.values()];
  };
  return { variables: under([]), properties: under };
}

/** Syntax colors from the page's variables, which support light and dark themes. */
const highlight = HighlightStyle.define([
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--state-ok)' },
  { tag: [tags.propertyName, tags.variableName], color: 'var(--mantine-color-text)' },
  { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword], color: 'var(--severity-high)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--severity-moderate)' },
  { tag: [tags.processingInstruction, tags.brace, tags.tagName], color: 'var(--state-busy)' },
  { tag: tags.comment, color: 'var(--text-muted)', fontStyle: 'italic' },
]);

const look = EditorView.theme({
  '&': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--mantine-radius-md)',
    background: 'var(--surface)',
    fontSize: '0.82rem',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: '2px solid var(--mantine-color-pace-5)' },
  '.cm-scroller': {
    minHeight: '18rem',
    maxHeight: '60vh',
    fontFamily: 'var(--mantine-font-family-monospace)',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    background: 'var(--surface)',
    color: 'var(--text-muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    background: 'color-mix(in srgb, var(--mantine-color-pace-5) 9%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--mantine-color-pace-5) 30%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    background: 'color-mix(in srgb, var(--mantine-color-pace-5) 25%, transparent)',
    color: 'inherit',
  },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { background: 'none', color: 'inherit' },
  '.cm-tooltip, .cm-panels': {
    background: 'var(--surface)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--line)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--mantine-color-pace-7)',
    color: 'white',
  },
});
