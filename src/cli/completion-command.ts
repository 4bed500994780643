/** Implements `completion`: prints a script that completes the command line in a shell, made from the table of commands. */
import { DONE, NOT_UNDERSTOOD, type Command } from './command.ts'

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript }
const NAMES = Object.keys(SHELLS)
const isShell = (name: string): name is keyof typeof SHELLS => Object.hasOwn(SHELLS, name)

/** `commands` is read when it runs: this command is in the table, too. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  words: 'completion',
  usage: NAMES.join('|'),
  summary: 'prints a script that completes the commands and options of `marquee` in a shell',
  takes: [1, 1],
  choices: { first: NAMES },
  isAlone: true,
  printsScript: true,
  async run({ rest: [shell = ''], terminal }) {
    if (!isShell(shell)) {
      terminal.complain(`${shell} is no shell that can be completed: ${NAMES.join(', ')}.`)
      return NOT_UNDERSTOOD
    }
    terminal.print(SHELLS[shell](contextsOf(commands())).trimEnd())
    return DONE
  },
})

interface Word {
  readonly text: string
  readonly summary: string
}

/** What may follow some words. */
interface Context {
  /** Empty at the beginning. */
  readonly words: string
  /** Only right after these words: the next word of a command, or its first argument. */
  readonly next: readonly Word[]
  /** Anywhere after these words, unless a longer context fits. */
  readonly options: readonly Option[]
}

interface Option {
  readonly name: string
  readonly takesText: boolean
  /** Its values; empty if it takes any text. */
  readonly values: readonly string[]
}

/** The longest first: `import undo` fits before `import`. */
function contextsOf(commands: readonly Command[]): readonly Context[] {
  const starts = new Set(['', 'help', ...commands.flatMap(({ words }) => startsOf(words))])
  const contexts = [...starts].map((words) => contextOf(words, commands))
  return contexts.toSorted((a, b) => countOf(b.words) - countOf(a.words) || (a.words < b.words ? -1 : 1))
}

const countOf = (words: string): number => (words === '' ? 0 : words.split(' ').length)

/** `user add`: `user` and `user add`. */
const startsOf = (words: string): readonly string[] => words.split(' ').map((_, n, all) => all.slice(0, n + 1).join(' '))

function contextOf(words: string, commands: readonly Command[]): Context {
  const command = commands.find((one) => one.words === words)
  const choices = command?.choices?.first ?? []
  const next = [...nextWords(words === 'help' ? '' : words, commands), ...choices.map((text) => ({ text, summary: '' }))]
  const help = words === '' ? [{ text: 'help', summary: 'lists the commands' }] : []
  return { words, next: [...next, ...help], options: command ? optionsOf(command) : [] }
}

/** The words that continue these in some command, each once. */
function nextWords(words: string, commands: readonly Command[]): readonly Word[] {
  const before = words === '' ? '' : `${words} `
  const found = new Map<string, string>()
  for (const command of commands.filter((one) => one.words.startsWith(before) && one.words !== words)) {
    const text = command.words.slice(before.length).split(' ', 1)[0] ?? ''
    const summary = command.words === before + text ? command.summary : ''
    found.set(text, found.get(text) || summary)
  }
  return [...found].map(([text, summary]) => ({ text, summary }))
}

function optionsOf({ options = [], lists = [], flags = [], printsScript, choices }: Command): readonly Option[] {
  const texts = [...options, ...lists].map((name) => ({ name, takesText: true, values: choices?.options?.[name] ?? [] }))
  const others = [...flags, ...(printsScript ? [] : ['json'])].map((name) => ({ name, takesText: false, values: [] }))
  return [...texts, ...others]
}

/** In single quotes; the words of commands have none. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const listed = (texts: readonly string[]): string => quoted(texts.join(' '))
const flagsIn = (options: readonly Option[]): readonly string[] => options.map(({ name }) => `--${name}`)
const takingText = (contexts: readonly Context[]): readonly Option[] => [
  ...new Map(contexts.flatMap(({ options }) => options.filter(({ takesText }) => takesText)).map((one) => [one.name, one])).values(),
]

/** For bash and zsh: sets `next` and `options` for the words in `line`, and `values` for an option in `previous`. */
function casesOf(contexts: readonly Context[]): string {
  const lines = contexts.map(({ words, next, options }) => {
    const pattern = words === '' ? '*' : `${quoted(words)}|${quoted(`${words} `)}*`
    const isHere = words === '' ? '[ -z "$line" ]' : `[ "$line" = ${quoted(words)} ]`
    const follow = next.length > 0 ? `${isHere} && next=${listed(next.map(({ text }) => text))}; ` : ''
    return `    ${pattern}) ${follow}options=${listed(flagsIn(options))} ;;`
  })
  const values = takingText(contexts).map((option) => `    --${option.name}) takes=1 values=${listed(option.values)} ;;`)
  return `  case "$line" in\n${lines.join('\n')}\n  esac\n  case "$previous" in\n${values.join('\n')}\n  esac`
}

/** Shell lines that put the words before the cursor, without options and their values, into `line`. */
const linesOfWords = (contexts: readonly Context[], words: string): string => `  local skip=
  for word in ${words}; do
    if [ -n "$skip" ]; then skip=; continue; fi
    case "$word" in
      ${takingText(contexts)
        .map(({ name }) => `--${name}`)
        .join('|')}) skip=1 ;;
      -*) ;;
      *) line="\${line:+$line }$word" ;;
    esac
  done`

const HEAD = (shell: string, place: string): string =>
  `# ${shell} completion for marquee, made by \`marquee completion ${shell}\`: ${place}`

function bashScript(contexts: readonly Context[]): string {
  return `${HEAD('bash', 'source it in ~/.bashrc')}
_marquee() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local line= next= options= values= takes= word
${linesOfWords(contexts, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
${casesOf(contexts)}
  if [ -n "$takes" ]; then COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  else COMPREPLY=($(compgen -W "$next" -- "$current"))
  fi
}
# Whatever is not known here may be a file.
complete -o default -F _marquee marquee
`
}

function zshScript(contexts: readonly Context[]): string {
  return `#compdef marquee
${HEAD('zsh', 'put it as _marquee into a folder of $fpath')}
_marquee() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}"
  local line= next= options= values= takes= word
${linesOfWords(contexts, '"${(@)words[2,CURRENT-1]}"')}
${casesOf(contexts)}
  if [[ -n "$takes" ]]; then
    if [[ -n "$values" ]]; then compadd -- \${=values}; else _files; fi
  elif [[ "$current" == -* ]]; then compadd -- \${=options}
  elif [[ -n "$next" ]]; then compadd -- \${=next}
  else _files
  fi
}
if [[ "\${funcstack[1]}" = _marquee ]]; then _marquee "$@"; elif (( $+functions[compdef] )); then compdef _marquee marquee; fi
`
}

function fishScript(contexts: readonly Context[]): string {
  const skipping = takingText(contexts).map(({ name }) => `--${name}`)
  const lines = contexts.flatMap((context) => fishLines(context, contexts))
  return `${HEAD('fish', 'put it into ~/.config/fish/completions/marquee.fish')}
function __marquee_words
  set -l skip
  for word in (commandline -opc)[2..-1]
    if test -n "$skip"
      set skip
      continue
    end
    switch $word
      case ${skipping.join(' ')}
        set skip 1
      case '-*'
      case '*'
        echo $word
    end
  end
end
function __marquee_at
  test "$(__marquee_words | string join ' ')" = "$(string join ' ' -- $argv)"
end
function __marquee_in
  string match -q -- "$(string join ' ' -- $argv) *" "$(__marquee_words | string join ' ') "
end
${lines.join('\n')}
`
}

function fishLines({ words, next, options }: Context, contexts: readonly Context[]): readonly string[] {
  const longer = contexts.filter((other) => other.words.startsWith(`${words} `)).map((other) => `; and not __marquee_in ${other.words}`)
  const [at, within] = [`__marquee_at ${words}`.trimEnd(), `__marquee_in ${words}${longer.join('')}`]
  const described = (summary: string): string => (summary === '' ? '' : ` -d ${fishQuoted(summary)}`)
  const valued = (values: readonly string[]): string => (values.length === 0 ? '' : ` -f -a ${fishQuoted(values.join(' '))}`)
  return [
    ...next.map(({ text, summary }) => `complete -c marquee -n ${fishQuoted(at)} -f -a ${fishQuoted(text)}${described(summary)}`),
    ...options.map(
      ({ name, takesText, values }) => `complete -c marquee -n ${fishQuoted(within)} -l ${name}${takesText ? ' -r' : ''}${valued(values)}`,
    ),
  ]
}

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
