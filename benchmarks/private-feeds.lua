-- Requests the feeds of a file, one address per line, each once before the first one comes again.
local paths = {}
local count = 0

init = function(args)
  for line in io.lines(args[1]) do
    paths[#paths + 1] = line
  end
end

request = function()
  count = count + 1
  return wrk.format(nil, paths[(count - 1) % #paths + 1])
end
