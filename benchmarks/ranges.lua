-- Requests ranges of one size at random positions, like a player that seeks. Arguments: bytes per range, bytes of the file.
local size, last

init = function(args)
  size = tonumber(args[1])
  last = tonumber(args[2]) - size
  math.randomseed(7)
end

request = function()
  local from = math.random(0, last)
  wrk.headers["Range"] = "bytes=" .. from .. "-" .. (from + size - 1)
  return wrk.format()
end
