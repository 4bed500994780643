const { NODE_OPTIONS } = process.env

/** Arguments of `env` for `t.spawn`, which brings tap's hooks into what it starts by `NODE_OPTIONS`. */
export const WITHOUT_HOOKS: readonly string[] = NODE_OPTIONS === undefined ? ['-u', 'NODE_OPTIONS'] : [`NODE_OPTIONS=${NODE_OPTIONS}`]
